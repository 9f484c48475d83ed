import type { Device } from '../model/device.ts';
import type { LaunchedBrowser } from './launch.ts';
import { openFirstVisitor, type Visitor } from './visit.ts';

/**
 * Browser contexts of first visitors, opened ahead of time: a fresh context takes longer to open than a small page to
 * load.
 */
export interface WaitingRoom {
  /** Opens a context ahead of time for the next load that asks for one. */
  prepare(launched: LaunchedBrowser, device: Device): void;
  /** Resolves once all contexts in the room are ready. */
  ready(): Promise<void>;
  /**
   * A context that has loaded nothing yet, opened ahead of time or now; all others in the room are fully open by then,
   * and idle.
   */
  take(launched: LaunchedBrowser, device: Device): Promise<Visitor>;
}

interface Waiting {
  readonly launched: LaunchedBrowser;
  readonly device: Device;
  readonly visitor: Promise<Visitor>;
}

/** An empty room. Its contexts end with their browser. */
export function openWaitingRoom(): WaitingRoom {
  let waiting: readonly Waiting[] = [];
  return {
    prepare(launched, device) {
      const visitor = openFirstVisitor(launched, device);
      visitor.catch(() => {}); // The load that takes the context gets the error; without such a load it does not matter.
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
