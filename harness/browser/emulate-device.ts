import type { CDPSession } from 'puppeteer-core';
import type { Device } from '../model/device.ts';

/** Has a page look and compute as it would on a device; the browser's version is `Chrome/156.0.8078.79`. */
export async function emulateDevice(session: CDPSession, device: Device, version: string): Promise<void> {
  const { width, height, pixelRatio, mobile, cpuSlowdown } = device;
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: pixelRatio, mobile }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile }),
    session.send('Emulation.setUserAgentOverride', { userAgent: userAgent(version, device) }),
    ...(cpuSlowdown > 1 ? [session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })] : []),
  ]);
}

/** What an ordinary Chromium on the device calls itself. */
function userAgent(version: string, { platform, mobile }: Device): string {
  const major = /\/(\d+)/.exec(version)?.[1];
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${mobile ? ' Mobile' : ''} Safari/537.36`;
}
