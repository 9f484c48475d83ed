/** Where the output is no terminal there is at most one line in this time, so that a log stays short. */
const lineEveryMs = 5000;

/**
 * @typedef {{ update(text: string): void, end(text: string): void }} Step
 * @typedef {{ say(text: string): void, step(title: string, what: string): Step }} Progress
 */

/**
 * Plain progress: each step has a line when it begins, which says what will be done, and one when it ends; in between
 * there is one that is rewritten on a terminal and repeated now and then elsewhere.
 *
 * It goes to standard error, since `measure --json` keeps standard output for its events.
 *
 * @param {{ write(text: string): unknown, isTTY?: boolean, columns?: number }} stream
 * @param {() => number} [nowMs]
 * @returns {Progress}
 */
export function openProgress(stream, nowMs = () => performance.now()) {
  let rewriting = false;
  const say = (/** @type {string} */ text) => {
    stream.write(`${rewriting ? '\r\x1b[K' : ''}setup: ${text}\n`);
    rewriting = false;
  };

  return {
    say,
    step(title, what) {
      const beganMs = nowMs();
      let shownMs = beganMs;
      let shown = '';
      const seconds = () => `${Math.round((nowMs() - beganMs) / 1000)} s`;
      say(`${title}: ${what} ...`);
      return {
        update(text) {
          const line = `${title}: ${text} (${seconds()})`;
          if (line === shown) return;
          if (stream.isTTY) {
            stream.write(`\r\x1b[K${`setup: ${line}`.slice(0, (stream.columns || 80) - 1)}`);
            rewriting = true;
          } else {
            if (nowMs() - shownMs < lineEveryMs) return;
            say(line);
          }
          shownMs = nowMs();
          shown = line;
        },
        end(text) {
          say(`${title}: ${text}, ${seconds()}`);
        },
      };
    },
  };
}
