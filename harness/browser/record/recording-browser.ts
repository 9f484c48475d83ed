import { EnvironmentError } from '../../model/errors.ts';
import { asLaunched, type LaunchedBrowser, type StartOptions, startBrowser } from '../launch.ts';

/** Does something with a browser of its own. Where that ends or falls silent, this machine is at fault, and no page. */
export async function withBrowser<T>(
  options: StartOptions & { readonly signal: AbortSignal },
  work: (launched: LaunchedBrowser) => Promise<T>,
): Promise<T> {
  const { signal, ...how } = options;
  const ended = (by: string, cause?: Error) =>
    new EnvironmentError(`Chromium ${by}${cause ? `: ${cause.message}` : ''}`, { cause });
  await using launched = await startBrowser(how)
    .then(asLaunched)
    .catch((cause: Error) => {
      throw ended('did not start', cause);
    });
  const { browser } = launched;
  const hasEnded = () => !browser.connected && !signal.aborted;
  const done = await work(launched).catch((cause: Error) => {
    throw hasEnded() ? ended('ended while it recorded a page', cause) : cause;
  });
  if (hasEnded()) throw ended('ended while it recorded a page');
  return done;
}
