/** What takes long, which the size of a file does not tell; longest first. */
const LONG = [
  /simulation\//,
  /workers\/(faults|workers)\./,
  /commands\/(cli|resume|strangers-folder|gate)\./,
  /sites\//,
];

/** What has a browser to wait for is last: beside live tests, there is the more of the processor for it. */
const LAST = /reports\//;

/** Begins with the tests that take longest, so that both cores are done at the same time, on a clean checkout, too. */
export default class LongestFirst {
  /**
   * @template {{ path: string }} T
   * @param {readonly T[]} tests
   */
  sort(tests) {
    /** @param {T} test */
    const rank = ({ path }) => {
      if (LAST.test(path)) return LONG.length + 1;
      const place = LONG.findIndex((pattern) => pattern.test(path));
      return place === -1 ? LONG.length : place;
    };
    return tests.toSorted((a, b) => rank(a) - rank(b));
  }

  cacheResults() {}
}
