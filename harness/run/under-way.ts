/** What some labs do, and others may wait for. */
export interface UnderWay {
  /** Begins one more as soon as nothing of the other kind is under way; it is over once this is disposed. */
  beginAfter(other: Pick<UnderWay, 'isAny' | 'over'>): Promise<Disposable>;
  isAny(): boolean;
  /** Resolves when all that have begun are over. */
  over(): Promise<void>;
}

/** Nothing has begun yet. */
export function openUnderWay(): UnderWay {
  const begun = new Set<Promise<void>>();
  const begin = (): Disposable => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.add(promise);
    return {
      [Symbol.dispose]() {
        begun.delete(promise);
        resolve();
      },
    };
  };
  return {
    async beginAfter(other) {
      while (other.isAny()) await other.over();
      return begin(); // At once, or both might find that nothing of the other kind is under way.
    },
    isAny: () => begun.size > 0,
    over: async () => void (await Promise.all(begun)),
  };
}
