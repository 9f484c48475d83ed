import type { CDPSession } from 'puppeteer-core';
import type { Device } from '../model/device.ts';
import { evaluate } from './page-record.ts';

/**
 * Has a page look as it would on a device; the browser's version is `Chrome/156.0.8078.79`. It is slowed down only
 * while it is loaded: a page that is slowed down keeps a core busy even while it does nothing (Chromium 156).
 */
export async function emulateDevice(session: CDPSession, device: Device, version: string): Promise<void> {
  const { width, height, pixelRatio, mobile } = device;
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: pixelRatio, mobile }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile }),
    session.send('Emulation.setUserAgentOverride', { userAgent: userAgent(version, device) }),
  ]);
}

/** Has the main thread of a page or a frame compute `rate` times as slowly; 1: as fast as it can. */
export async function slowDown(session: CDPSession, rate: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/**
 * How many times slower than it could a slowed page computes, by how often it goes through a loop in a while; it is not
 * slowed down any more then. Undefined where it has died.
 */
export async function readSlowdown(session: CDPSession): Promise<number | undefined> {
  const count = () => evaluate<number>(session, `(${countTurns})()`);
  const slow = await count();
  await slowDown(session, 1);
  const fast = await count();
  return slow && fast && fast / slow;
}

/** Runs in the page. */
function countTurns(): number {
  const COUNTED_MS = 60;
  // The first turns are slower: they are compiled meanwhile.
  const turnsIn = (ms: number) => {
    const untilMs = performance.now() + ms;
    let turns = 0;
    for (let value = 1; performance.now() < untilMs; turns += 1)
      for (let step = 0; step < 1_000; step += 1) value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    return turns;
  };
  turnsIn(20);
  return turnsIn(COUNTED_MS);
}

/** What an ordinary Chromium on the device calls itself. */
function userAgent(version: string, { platform, mobile }: Device): string {
  const major = /\/(\d+)/.exec(version)?.[1];
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${mobile ? ' Mobile' : ''} Safari/537.36`;
}
