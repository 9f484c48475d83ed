/** What some labs do, and others may wait for. */
export interface UnderWay {
  /** Begins one more, which is over once this is disposed. */
  begin(): Disposable;
  /** Resolves when all that have begun are over. */
  over(): Promise<void>;
}

/** Nothing has begun yet. */
export function openUnderWay(): UnderWay {
  const begun = new Set<Promise<void>>();
  return {
    begin() {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.add(promise);
      return {
        [Symbol.dispose]() {
          begun.delete(promise);
          resolve();
        },
      };
    },
    async over() {
      while (begun.size > 0) await Promise.all(begun);
    },
  };
}
