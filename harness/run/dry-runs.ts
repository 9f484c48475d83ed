import { comesBack } from '../browser/visit.ts';
import { readLog } from '../measurement/devtools-log.ts';
import type { Capture } from '../model/capture.ts';
import { EnvironmentError } from '../model/errors.ts';
import type { DryRun } from '../site/replay/served-recording.ts';
import type { Load, Wanted } from './load-request.ts';

/*
 * Before a recorded page is measured it is loaded a few times, watched: what its scripts ask for may differ from load to
 * load, so that a load can be held only to what came each time.
 */

/** How often a recorded page is loaded before it is measured. */
const DRY_RUNS = 3;

/** The browser of dry runs: no arm's, so that none is warmer than the others. */
const BROWSER = { name: 'dry-run', flags: [] } as const;

/** What dry runs of recorded pages brought. */
export interface DryRuns {
  /** Loads the page of a request unless that was done before; throws where it does not come to its end. */
  make(load: Load): Promise<void>;
  /** The contents that came each time; nothing where there was no dry run. */
  find(load: DryRunKey): DryRun;
}

/** Dry runs are told apart by a site with TLS or without, on a device, on a first visit or a later one. */
export type DryRunKey = Pick<Load, 'site' | 'protocol' | 'visit' | 'device'>;

/** No dry runs yet; `loadAll` loads some requests one after the other, in one browser, which it closes then. */
export function openDryRuns(loadAll: (loads: readonly Wanted[]) => Promise<readonly Capture[]>): DryRuns {
  const found = new Map<string, DryRun>();
  return {
    async make(wanted) {
      if (found.has(nameOf(wanted))) return;
      // Over HTTP/2, as most sites are served.
      const protocol = wanted.protocol === 'h1c' ? 'h1c' : 'h2';
      const { site, device, timeoutMs } = wanted;
      const visit = comesBack(wanted.visit) ? wanted.visit : 'cold';
      const one: Wanted = { site, device, timeoutMs, protocol, browser: BROWSER, visit, watched: true };
      for (let attempt = 1; ; attempt += 1) {
        const captures = await loadAll(Array<Wanted>(DRY_RUNS).fill(one));
        const crashed = captures.some(({ browser }) => browser.ending?.by === 'browser-crash');
        if ((captures.length < DRY_RUNS || crashed) && attempt < DRY_RUNS) continue;
        found.set(nameOf(wanted), broughtByAll(captures));
        return;
      }
    },
    find: (key) => found.get(nameOf(key)) ?? new Map(),
  };
}

function nameOf({ site, protocol, visit, device }: DryRunKey): string {
  return [site, protocol === 'h1c' ? 'clear' : 'tls', comesBack(visit) ? visit : 'first', device].join('|');
}

/** What came whole before the load event each time; throws where the page does not come to its end. */
function broughtByAll(captures: readonly Capture[]): DryRun {
  const [first, ...others] = captures.map(({ page, browser }) => {
    const { requests, loadEventMs } = readLog(browser.events);
    if (browser.ending || loadEventMs === undefined)
      throw new EnvironmentError(
        `the replay of ${page.url} does not finish loading: ${browser.ending?.says ?? 'no load event'}`,
      );
    const whole = requests.filter(
      ({ method, finishedMs, status, error }) =>
        method === 'GET' && finishedMs! <= loadEventMs && status === 200 && error === undefined,
    );
    // A counted load has nothing but the page's own record, which leaves some out: what a redirection led to, or a worker
    // asked for that has ended.
    const recorded = new Set(browser.record?.requests.map(({ url }) => url));
    return new Map(
      whole.filter(({ url }) => recorded.has(url)).map(({ url, id }) => [url, browser.digests[id] !== undefined]),
    );
  });
  if (!first) throw new EnvironmentError('the browser ended each time in the dry runs of a recorded page');
  const each = [...first].filter(([url]) => others.every((other) => other.has(url)));
  return new Map(each.map(([url, kept]) => [url, kept && others.every((other) => other.get(url) === true)]));
}
