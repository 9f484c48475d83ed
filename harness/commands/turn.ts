import { renderEvent } from '../report/progress.ts';
import { stopRequested } from '../system/stop.ts';
import { type TurnHolder, takeTurn } from '../system/turn.ts';

/** Takes this machine for a command that prints lines, as a study takes it; undefined where it was asked to stop meanwhile. */
export function takeTurnFor(
  own: TurnHolder,
  { beside, print }: { readonly beside: boolean; readonly print: (line: string) => void },
  take = takeTurn,
): Promise<AsyncDisposable | undefined> {
  const waits = (other: TurnHolder) => renderEvent({ event: 'waiting', ...other }).lines.forEach(print);
  return take({ own, beside, stop: stopRequested(), waits, meets() {} });
}
