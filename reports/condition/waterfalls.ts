import type { PackedWaterfall, UnrecordedRequest, WaterfallRequest } from '../../harness/report/page-data.ts';
import { unpackRequests } from '../../harness/report/page-data.ts';
import { chip } from '../arms.ts';
import { whenSeen } from '../charts.ts';
import { clipped, drawn, element, htmlTable, letterScale, named, unfolding } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { bytes, count, time } from '../wording.ts';

/** The median load of each arm, request by request, side by side on one axis of time. */
export function drawWaterfalls(report: Report, condition: ReportCondition): HTMLElement | undefined {
  const { waterfalls } = condition;
  if (waterfalls.length === 0) return undefined;
  const loads = waterfalls.map((packed) => ({ packed, requests: unpackRequests(packed, report.data.names) }));
  const endMs = Math.max(...loads.map(endOf));
  const rows = Math.max(...waterfalls.map((each) => each.count));
  return element(
    'div',
    { class: 'wide' },
    element('h3', {}, 'Waterfalls'),
    element(
      'p',
      { class: 'quiet' },
      'The load with the median time of each arm, all on one axis. Requests stand from top to bottom in the order in which the browser wanted them.',
    ),
    drawKey(),
    element('div', { class: 'waterfalls' }, ...loads.map((load) => drawLoad(report, load, { endMs, rows }))),
  );
}

interface Load {
  readonly packed: PackedWaterfall;
  readonly requests: readonly WaterfallRequest[];
}

function endOf({ packed, requests }: Load): number {
  return Math.max(1, packed.loadEventMs ?? 0, ...requests.map(({ finishedMs, wantedMs }) => finishedMs ?? wantedMs));
}

function drawKey(): HTMLElement {
  const item = (kind: string, words: string) =>
    element(
      'li',
      {},
      drawn(
        'svg',
        { class: 'span-sample', viewBox: '0 0 22 10', 'aria-hidden': 'true' },
        drawn('rect', {
          class: kind,
          x: 0,
          y: kind === 'queued' ? 4 : 1,
          width: 22,
          height: kind === 'queued' ? 2 : 8,
        }),
      ),
      words,
    );
  return element(
    'ul',
    { class: 'key' },
    item('queued', 'held back by the browser'),
    item('connect', 'connection set-up'),
    item('waiting', 'waiting'),
    item('receiving', 'receiving'),
  );
}

interface Frame {
  readonly endMs: number;
  readonly rows: number;
}

function drawLoad(report: Report, load: Load, frame: Frame): HTMLElement {
  const { packed, requests } = load;
  const look = report.lookOf(packed.arm);
  const place = element('div', { class: `waterfall-image ${look.className}` });
  // It is as high as it will be, so that nothing moves when it is drawn.
  place.style.setProperty('height', `${(heightFor(frame.rows) + AXIS) / 16}rem`);
  let width = 0;
  const draw = () => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    place.replaceChildren(waterfallImage(load, { ...frame, width, title: look.title }));
  };
  whenSeen(place, () => {
    draw();
    new ResizeObserver(draw).observe(place);
  });
  const blocked = packed.timeMs === undefined ? 'failed' : time(packed.timeMs);
  return element(
    'figure',
    { class: 'waterfall', 'data-arm': packed.arm },
    element(
      'figcaption',
      {},
      chip(look),
      element('b', {}, blocked),
      element('span', { class: 'quiet' }, `${count(requests.length, 'request')} · load ${packed.serial}`),
    ),
    place,
    unfolding('Requests as a table', () => requestTable(look.title, requests)),
    ...unrecordedPart(look.title, packed),
  );
}

const ANSWERS = {
  none: 'nothing: 404',
  near: 'the nearest: values that each load makes itself differ',
  body: 'the same address, sent something else',
} as const;

/** What of a recorded page was not recorded as it was asked for now. */
function unrecordedPart(title: string, { unrecorded = [] }: PackedWaterfall): HTMLElement[] {
  if (unrecorded.length === 0) return [];
  const none = unrecorded.filter(({ answer }) => answer === 'none').length;
  const misses = none > 0 ? `, ${none} of them answered with 404` : '';
  return [
    unfolding(`${count(unrecorded.length, 'request')} not recorded as asked${misses}`, () =>
      htmlTable<UnrecordedRequest>(
        `${title}: requests that were not recorded as they were asked`,
        [
          { title: 'Asked for', cell: ({ asked }) => named(asked, 60) },
          { title: 'Answered with', cell: ({ answer }) => ANSWERS[answer] },
          { title: 'Recorded', cell: ({ recorded = '–' }) => named(recorded, 60) },
        ],
        unrecorded,
      ),
    ),
  ];
}

const AXIS = 20;
/** The width of a request's size in words. */
const SIZE = 44;
/** At most this many rows have room for names. */
const NAMED_ROWS = 64;

function rowHeight(rows: number): number {
  return Math.max(2.5, Math.min(20, 800 / rows));
}

function heightFor(rows: number): number {
  return Math.ceil(rows * rowHeight(rows));
}

interface View extends Frame {
  readonly width: number;
  readonly title: string;
}

function waterfallImage({ packed, requests }: Load, { endMs, rows, width: pixels, title }: View): SVGElement {
  const scale = letterScale();
  const width = pixels / scale;
  const row = rowHeight(rows);
  const showsNames = rows <= NAMED_ROWS;
  const left = showsNames ? Math.min(166, width * 0.42) : 0;
  const right = 6;
  const x = (ms: number) => left + (Math.max(0, ms) / endMs) * (width - left - right);
  const height = heightFor(rows) + AXIS;
  return drawn(
    'svg',
    {
      width: pixels,
      height: height * scale,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': `Waterfall of ${title}: ${count(requests.length, 'request')}, ${time(packed.loadEventMs)}`,
    },
    ...ticksFor(endMs, Math.max(1, Math.floor((width - left - right) / 64))).flatMap((ms): (SVGElement | false)[] => [
      drawn('line', { class: 'tick', x1: x(ms), x2: x(ms), y1: 0, y2: height - AXIS }),
      x(ms) < width - 24 &&
        drawn('text', { class: 'tick', x: x(ms), y: height - 5 }, ms === 0 ? '0' : time(ms).replace('.00', '')),
    ]),
    packed.loadEventMs !== undefined &&
      drawn('line', {
        class: 'load-event',
        x1: x(packed.loadEventMs),
        x2: x(packed.loadEventMs),
        y1: 0,
        y2: height - AXIS + 4,
      }),
    // Above it, so that it can be read.
    ...requests.flatMap((request, index) =>
      drawRow(request, { x, y: index * row, height: row, endMs, left: showsNames ? left : undefined }),
    ),
  );
}

/** Round moments, at most as many as asked for beside the first. */
function ticksFor(endMs: number, most: number): readonly number[] {
  const rough = endMs / most;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * [1, 2, 5, 10].find((each) => each * size >= rough)!;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}

interface RowView {
  readonly x: (ms: number) => number;
  readonly y: number;
  readonly height: number;
  readonly endMs: number;
  /** Where the bars begin, if names stand before them. */
  readonly left?: number | undefined;
}

function drawRow(request: WaterfallRequest, { x, y, height, endMs, left }: RowView): SVGElement[] {
  const { wantedMs, connectMs, connectedMs, sentMs, answeredMs, finishedMs } = request;
  const end = finishedMs ?? endMs;
  const bar = (kind: string, from: number, to: number, part: number) => {
    const thick = Math.max(1, height * part);
    return drawn('rect', {
      class: kind,
      x: x(from),
      y: y + (height - thick) / 2,
      width: Math.max(kind === 'queued' ? 0 : 0.8, x(to) - x(from)),
      height: thick,
    });
  };
  return [
    drawn(
      'g',
      { class: request.error ? 'request failed' : 'request' },
      drawn('title', {}, tellRequest(request)),
      bar('queued', wantedMs, connectMs ?? sentMs ?? end, 0.16),
      connectMs !== undefined && connectedMs !== undefined && bar('connect', connectMs, connectedMs, 0.5),
      sentMs !== undefined && bar('waiting', sentMs, answeredMs ?? end, 0.5),
      answeredMs !== undefined && bar('receiving', answeredMs, end, 0.78),
      ...(left === undefined
        ? []
        : [
            drawn('text', { class: 'priority', x: 0, y: y + height * 0.72 }, priorityLetters(request.priority)),
            drawn(
              'text',
              { class: 'request-name', x: 22, y: y + height * 0.72 },
              clipped(lastPart(request.name), Math.max(6, Math.floor((left - 26 - SIZE) / 6.2))),
            ),
            drawn(
              'text',
              { class: 'size', x: left - 8, y: y + height * 0.72 },
              request.error ? 'failed' : bytes(request.bytes),
            ),
          ]),
    ),
  ];
}

/** Chromium's five priorities as letters: `VH`, `H`, `M`, `L`, `VL`. */
function priorityLetters(priority: string): string {
  return priority.replaceAll(/[^A-Z]/g, '').slice(0, 2);
}

function lastPart(name: string): string {
  return /([^/?]+)\/?(\?.*)?$/.exec(name)?.[1] ?? name;
}

function tellRequest({
  name,
  priority,
  bytes: size,
  wantedMs,
  sentMs,
  answeredMs,
  finishedMs,
  error,
}: WaterfallRequest): string {
  const times = [
    ['wanted', wantedMs],
    ['sent', sentMs],
    ['answered', answeredMs],
    ['finished', finishedMs],
  ] as const;
  return [
    clipped(name, 120),
    `${priority} priority`,
    bytes(size),
    ...times.flatMap(([what, ms]) => (ms === undefined ? [] : `${what} ${time(ms)}`)),
    error,
  ]
    .filter(Boolean)
    .join(' · ');
}

function requestTable(title: string, requests: readonly WaterfallRequest[]): HTMLElement {
  const moment = (name: string, of: (request: WaterfallRequest) => number | undefined) => ({
    title: name,
    numeric: true,
    cell: (request: WaterfallRequest) => time(of(request)),
  });
  return htmlTable<WaterfallRequest>(
    `Requests of ${title}`,
    [
      { title: 'Request', cell: ({ name }) => named(name, 60) },
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Priority', cell: ({ priority }) => priority },
      { title: 'Size', numeric: true, cell: ({ bytes: size }) => bytes(size) },
      { title: 'Status', numeric: true, cell: ({ status, error }) => (error ? named(error, 60) : `${status || '–'}`) },
      { title: 'Connection', numeric: true, cell: ({ connection }) => `${connection || '–'}` },
      moment('Wanted', ({ wantedMs }) => wantedMs),
      moment('Connecting', ({ connectMs }) => connectMs),
      moment('Connected', ({ connectedMs }) => connectedMs),
      moment('Sent', ({ sentMs }) => sentMs),
      moment('Answered', ({ answeredMs }) => answeredMs),
      moment('Finished', ({ finishedMs }) => finishedMs),
    ],
    requests,
  );
}
