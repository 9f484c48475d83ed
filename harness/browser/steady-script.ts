/** What a page's scripts are given in place of the machine's clock and randomness. */
export interface Steadiness {
  /** With the same seed, the same scripts draw the same random numbers. */
  readonly seed: number;
  /** How far the clock is ahead of this machine's; negative where it shows the past. */
  readonly aheadMs: number;
  /** Whether sockets come to nothing at once, as those of a page that was recorded must, in every arm alike. */
  readonly refusesSockets?: boolean | undefined;
  /**
   * The address of the worker that runs this: Chromium 156 crashes if a script asks for it before the worker has begun.
   */
  readonly workerUrl?: string | undefined;
}

/**
 * A script that runs before any other of a page, a frame or a worker: its clock runs on from another time, and what it
 * draws at random a seed determines. Elapsed time (`performance.now`, event times) is the machine's own, since it is what
 * gets measured.
 */
export function renderSteadyScript({ seed, aheadMs, workerUrl, refusesSockets = false }: Steadiness): string {
  return `(${steady})(${Number(seed)}, ${Number(aheadMs)}, ${JSON.stringify(workerUrl ?? null)}, ${refusesSockets});`;
}

/** Runs in the page, and so may use nothing from here. */
function steady(seed: number, aheadMs: number, workerUrl: string | null, refusesSockets: boolean): void {
  type Patched = typeof globalThis & { Temporal?: { readonly Now: object; readonly Instant: TemporalInstant } };
  interface TemporalInstant {
    fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: unknown): Record<string, () => unknown> };
  }
  const scope = globalThis as Patched;
  const mark = Symbol.for('photofinish:steady');
  if (Object.hasOwn(scope, mark)) return;
  Object.defineProperty(scope, mark, { value: aheadMs }); // Code that reads a worker's record subtracts it again.
  const replace = (object: object, name: string, value: unknown) =>
    Object.defineProperty(object, name, { value, writable: true, configurable: true });

  if (aheadMs !== 0) {
    const OwnDate = Date;
    const ownNow = OwnDate.now;
    const now = () => ownNow() + aheadMs;
    replace(OwnDate, 'now', { now }.now);
    const SteadyDate = new Proxy(OwnDate, {
      construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
      apply: () => new OwnDate(now()).toString(),
    });
    replace(OwnDate.prototype, 'constructor', SteadyDate);
    replace(scope, 'Date', SteadyDate);
    // Where the page reckons with its own beginning, it must be by the same clock.
    const shift = (prototype: object | undefined, names: readonly string[]) => {
      for (const name of names) {
        const own = prototype && Object.getOwnPropertyDescriptor(prototype, name)?.get;
        if (!own) continue;
        const get = function (this: unknown) {
          const value = own.call(this) as number;
          return value === 0 ? 0 : value + aheadMs;
        };
        Object.defineProperty(prototype, name, { get, configurable: true, enumerable: true });
      }
    };
    shift(scope.Performance?.prototype, ['timeOrigin']);
    const timing = (scope as { PerformanceTiming?: { prototype: object } }).PerformanceTiming?.prototype;
    shift(timing, timing ? Object.getOwnPropertyNames(timing) : []);
    const format = Intl.DateTimeFormat.prototype;
    const ownFormat = Object.getOwnPropertyDescriptor(format, 'format')!.get!;
    const getFormat = function (this: Intl.DateTimeFormat) {
      const bound = ownFormat.call(this) as (date?: Date | number) => string;
      return (date?: Date | number) => bound(date ?? now());
    };
    Object.defineProperty(format, 'format', { get: getFormat, configurable: true });
    const ownParts = format.formatToParts;
    replace(format, 'formatToParts', function (this: Intl.DateTimeFormat, date?: Date | number) {
      return ownParts.call(this, date ?? now());
    });
    const { Temporal } = scope;
    if (Temporal) {
      const zoned = (zone: unknown = new Intl.DateTimeFormat().resolvedOptions().timeZone) =>
        Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(zone);
      replace(Temporal.Now, 'instant', () => Temporal.Instant.fromEpochMilliseconds(now()));
      replace(Temporal.Now, 'zonedDateTimeISO', zoned);
      replace(Temporal.Now, 'plainDateTimeISO', (zone: unknown) => zoned(zone).toPlainDateTime!());
      replace(Temporal.Now, 'plainDateISO', (zone: unknown) => zoned(zone).toPlainDate!());
      replace(Temporal.Now, 'plainTimeISO', (zone: unknown) => zoned(zone).toPlainTime!());
    }
  }

  if (refusesSockets && scope.WebSocket) {
    class WebSocket extends EventTarget {
      static readonly CONNECTING = 0;
      static readonly OPEN = 1;
      static readonly CLOSING = 2;
      static readonly CLOSED = 3;
      readonly url: string;
      readyState = 0;
      binaryType = 'blob';
      readonly [member: string]: unknown;
      constructor(url: string) {
        super();
        this.url = new URL(url, scope.location.href).href;
        Object.assign(this, {
          CONNECTING: 0,
          OPEN: 1,
          CLOSING: 2,
          CLOSED: 3,
          bufferedAmount: 0,
          protocol: '',
          extensions: '',
        });
        setTimeout(() => {
          this.readyState = 3;
          this.tell(new Event('error'));
          this.tell(new CloseEvent('close', { code: 1006 }));
        });
      }
      tell(event: Event): void {
        const handler = this[`on${event.type}`];
        if (typeof handler === 'function') handler.call(this, event);
        this.dispatchEvent(event);
      }
      send(): void {
        if (this.readyState === 0) throw new DOMException('still in CONNECTING state', 'InvalidStateError');
      }
      close(): void {}
    }
    replace(scope, 'WebSocket', WebSocket);
  }

  // Each document and worker draws from a stream of its own, or two frames would draw the same "unique" number; what is
  // made of nothing (about:blank, blob:) has no address worth the name.
  let state = seed >>> 0;
  const [address = ''] = /^https?:[^?#]*/.exec(workerUrl ?? scope.location.href) ?? [];
  for (const character of address) state = Math.imul(state ^ character.codePointAt(0)!, 0x9e3779b1) >>> 0;
  // mulberry32, as harness/stats/random.ts has it.
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  replace(Math, 'random', { random: () => draw() / 4_294_967_296 }.random);
  const prototype = scope.Crypto?.prototype;
  if (!prototype) return;
  const ownValues = prototype.getRandomValues;
  const getRandomValues = function <T extends ArrayBufferView>(this: Crypto, array: T): T {
    ownValues.call(this, array as never); // It refuses what it must refuse.
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = draw() >>> 24;
    return array;
  };
  replace(prototype, 'getRandomValues', getRandomValues);
  // Only where there is one already: on pages that are not secure there is none.
  if (!('randomUUID' in prototype)) return;
  replace(prototype, 'randomUUID', function randomUUID(this: Crypto) {
    const bytes = getRandomValues.call(this, new Uint8Array(16)) as Uint8Array;
    bytes[6] = (bytes[6]! & 15) | 64;
    bytes[8] = (bytes[8]! & 63) | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });
}
