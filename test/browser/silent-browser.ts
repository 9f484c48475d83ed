/**
 * A browser that says nothing of what it loads. It answers a given number of times; then it is killed, as a real one would
 * be, and its end is known before the answer that did not come.
 */
export function openSilentBrowser(answersOften: number) {
  let asked = 0;
  const nothing = () => {};
  const ends: (() => void)[] = [];
  const browser = {
    connected: true,
    process: nothing,
    once: (_name: 'disconnected', hears: () => void) => ends.push(hears),
    off: nothing,
  };
  const send = async (method: string) => (method === 'Page.navigate' ? {} : new Promise(nothing));
  const session = { send, on: nothing, once: nothing, off: nothing };
  const answers = async () => {
    asked += 1;
    if (asked <= answersOften) return true;
    browser.connected = false;
    for (const hears of ends) hears();
    return false;
  };
  const inTime = <T>(work: () => Promise<T>) => work();
  return { launched: { browser: browser as never, answers, inTime }, session: session as never };
}
