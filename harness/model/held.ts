/** How a browser is held: what foreign pages could do besides loading. */
export interface Held {
  /** Whether its user is root, which owns root's files even without root's rights. */
  readonly asRoot: boolean;
  /** Whether it keeps the rights of the process that started it; absent in studies in which only root's could be kept. */
  readonly keepsRights?: boolean;
  /** Whether it has its own sandbox for what pages run. */
  readonly sandboxed: boolean;
}

/** Says how a browser was held. */
export function describeHeld({ asRoot, keepsRights = asRoot, sandboxed }: Held): string {
  const root = `as root, ${keepsRights ? 'with all that root may do' : 'without its capabilities'}, since this machine gave it no other user`;
  const other = keepsRights ? 'with the rights of the user who started it' : 'as a user without any rights';
  return [
    `Chromium ran ${asRoot ? root : other}`,
    sandboxed
      ? ', and what pages ran was in its sandbox.'
      : ', and without its sandbox, since this machine lets it have none.',
  ].join('');
}

/** Whether nothing is left to wish for. */
export function isHeldWell({ asRoot, keepsRights = asRoot, sandboxed }: Held): boolean {
  return !asRoot && !keepsRights && sandboxed;
}
