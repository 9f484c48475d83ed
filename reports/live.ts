export function followStudy(_root: HTMLElement): void {}
