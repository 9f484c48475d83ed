declare module 'chrome-har-capturer' {
  interface LogEvent {
    readonly method: string;
    readonly params: unknown;
  }
  const capturer: {
    fromLog(
      url: string,
      log: readonly LogEvent[],
      options?: { readonly content?: boolean | undefined },
    ): Promise<unknown>;
  };
  export default capturer;
}
