/**
 * Does nothing twice at once: a caller that asks for what is under way gets what comes of it. Redis gives a job out again where
 * it has forgotten the job, or has not heard of its worker for a while, though the worker is still at work on it.
 */
export function openUnderWay<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (name, work) => {
    const running = underWay.get(name) ?? work().finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  };
}
