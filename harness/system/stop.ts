/** What asks a process to stop: Ctrl-C, `kill`, and a terminal that was closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let asked: AbortController | undefined;
let ask: (() => void) | undefined;

/**
 * Aborted once this process is asked to stop, which from the first call on no longer ends it: running work looks
 * here between one piece and the next, puts away what is half done, and ends with 4. A second request ends it at once.
 */
export function stopRequested(): AbortSignal {
  if (asked) return asked.signal;
  const controller = new AbortController();
  const heed = () => {
    // From here on the kernel's own answer to a signal stands again.
    ask = () => {};
    for (const signal of STOP_SIGNALS) process.off(signal, heed);
    // A terminal that was closed takes no more output, which is no reason to end before the piece is done.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    controller.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, heed);
  asked = controller;
  ask = heed;
  return controller.signal;
}

/**
 * Asks this process to stop as a signal would, but never a second time; false where no work is under way that would
 * heed it.
 */
export function requestStop(): boolean {
  ask?.();
  return ask !== undefined;
}
