import type { Device } from '../model/device.ts';
import type { LaunchedBrowser } from './launch.ts';
import { openFirstVisitor, type Visitor } from './visit.ts';

/** First visitors who stand ready: a fresh context takes longer to open than a small page to load. */
export interface WaitingRoom {
  /** Has one get ready, who is there for the next that asks. */
  prepare(launched: LaunchedBrowser, device: Device): void;
  /** Resolves once everybody in the room is ready. */
  ready(): Promise<void>;
  /** One who has never been anywhere, ready or not yet; everybody else in the room is ready then, and still. */
  take(launched: LaunchedBrowser, device: Device): Promise<Visitor>;
}

interface Waiting {
  readonly launched: LaunchedBrowser;
  readonly device: Device;
  readonly visitor: Promise<Visitor>;
}

/** An empty room. Who is in it ends with his browser. */
export function openWaitingRoom(): WaitingRoom {
  let waiting: readonly Waiting[] = [];
  return {
    prepare(launched, device) {
      const visitor = openFirstVisitor(launched, device);
      visitor.catch(() => {}); // Who takes him hears of it; who does not has no use for him.
      waiting = [...waiting.filter((each) => each.launched.browser.connected), { launched, device, visitor }];
    },
    async ready() {
      await Promise.allSettled(waiting.map(({ visitor }) => visitor));
    },
    async take(launched, device) {
      const found = waiting.find((each) => each.launched === launched && each.device === device);
      waiting = waiting.filter((each) => each !== found);
      await Promise.allSettled(waiting.map(({ visitor }) => visitor)); // No load while one is getting ready.
      return found?.visitor ?? openFirstVisitor(launched, device);
    },
  };
}
