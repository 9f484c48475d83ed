/** One event of the browser's DevTools protocol, as it came. */
export interface DevToolsEvent {
  readonly method: string;
  readonly params: unknown;
}

/** The page's own clock at the end of a load, in milliseconds since navigation began. */
export interface PageTimings {
  readonly ttfbMs: number;
  readonly domContentLoadedMs: number;
  readonly loadEventEndMs: number;
}

/** What was seen of one page load, unjudged. */
export interface Capture {
  readonly url: string;
  /** The whole DevTools log of the load, in order. */
  readonly events: readonly DevToolsEvent[];
  /** Absent where the page's load event never came. */
  readonly timings?: PageTimings;
  /** What went wrong in the browser, where something did. */
  readonly error?: string;
  /** From the first call to the browser to the last, in milliseconds. */
  readonly wallMs: number;
}
