import { type Fault, loadOnce, must, mustBeClean, says } from './world.ts';

/** The link for what is to be seen quickly. */
const FAST = 'rate=unlimited';
const TIMEOUT_MS = 8_000;
/** How much this process may grow over what a page does; a load of the page itself takes less than a tenth of it. */
const MOST_GROWTH_BYTES = 300e6;

/** Loads a page that does what no page should: that is data or is refused, and the next load is as ever. */
function load(site: string, becomes: RegExp): Fault {
  return async () => {
    const beforeBytes = process.memoryUsage().rss;
    const measured = await loadOnce({ site, timeoutMs: TIMEOUT_MS }, FAST);
    const grownBytes = process.memoryUsage().rss - beforeBytes;
    must(becomes.test(`${measured.status}: ${says(measured)}`), `it became ${JSON.stringify(measured)}`);
    must(grownBytes < MOST_GROWTH_BYTES, `photofinish grew by ${Math.round(grownBytes / 1e6)} MB`);
    await mustBeClean();
    const grown = `photofinish grew by ${Math.max(0, Math.round(grownBytes / 1e6))} MB`;
    return { says: `${measured.status} (${says(measured)}); ${grown}; the next load is clean`, lost: 0 };
  };
}

export const IN_PAGES: Readonly<Record<string, Fault>> = {
  'a page that allocates without bound': load('hoards', /^(ok|failed)/),
  'a page whose script never ends': load('never-ends', /^failed: timeout/),
  'a page that asks on and on': load('asks-on', /^failed/),
  // Void where the server was asked for what the page's record does not have yet: a page of ours asks for nothing unknown.
  'a page that opens 10,000 requests': load('asks-10000', /^(ok|failed|void)/),
  'a page that navigates away': load('leaves', /^failed/),
  'a page that navigates to nowhere': load('leaves-for-good', /^failed/),
};
