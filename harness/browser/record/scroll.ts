/** How far a page was scrolled. */
export interface Scrolled {
  readonly screens: number;
  /** Whether its end came; an endless page has none. */
  readonly ended: boolean;
}

/**
 * Scrolls a page to its end, a screen at a time, slowly enough for what is lazy to be asked for; runs in the page, and so
 * may use nothing from here.
 */
export async function scrollThrough(mostScreens: number, pauseMs: number): Promise<Scrolled> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));
  const page = document.scrollingElement ?? document.documentElement;
  let screens = 0;
  const atEnd = () => page.scrollTop + innerHeight >= page.scrollHeight - 1;
  while (!atEnd() && screens < mostScreens) {
    scrollBy({ top: innerHeight * 0.9, behavior: 'instant' });
    screens += 1;
    await pause();
    // What was scrolled into view may make the page longer.
    if (atEnd()) await pause();
  }
  return { screens, ended: atEnd() };
}
