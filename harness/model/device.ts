/** What a visitor holds: the screen, what the browser calls itself, and how much slower than here it computes. */
export interface Device {
  readonly name: DeviceName;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  readonly mobile: boolean;
  /** What the browser calls its platform, in place of the machine's own. */
  readonly platform: string;
  readonly cpuSlowdown: number;
}

export const DEVICE_NAMES = ['desktop', 'mobile'] as const;

export type DeviceName = (typeof DEVICE_NAMES)[number];

/** The device where none is named. */
export const DEFAULT_DEVICE: DeviceName = 'desktop';

/** A common laptop; and the telephone that Lighthouse 13 stands for, with its slowdown. */
export const DEVICES: Readonly<Record<DeviceName, Device>> = {
  desktop: {
    name: 'desktop',
    width: 1366,
    height: 768,
    pixelRatio: 1,
    mobile: false,
    platform: 'X11; Linux x86_64',
    cpuSlowdown: 1,
  },
  mobile: {
    name: 'mobile',
    width: 412,
    height: 823,
    pixelRatio: 1.75,
    mobile: true,
    platform: 'Linux; Android 11; moto g power (2022)',
    cpuSlowdown: 4,
  },
};
