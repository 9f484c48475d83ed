import {
  Chart,
  type ChartConfiguration,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  type Plugin,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js';
import type { ArmLook } from './arms.ts';
import { element } from './elements.ts';

Chart.register(LinearScale, LineController, LineElement, LogarithmicScale, PointElement, ScatterController, Tooltip);

/** One line or cloud of points. */
export interface Series {
  readonly label: string;
  readonly look?: ArmLook;
  readonly points: readonly { readonly x: number; readonly y: number; readonly look?: ArmLook }[];
  readonly line?: 'stepped' | 'straight';
  readonly dash?: readonly number[];
  readonly radius?: number;
}

/** A chart as its part describes it. */
export interface Plot {
  /** What it shows, for readers who do not see it. */
  readonly says: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** A range of y that is shaded, and places that are marked. */
  readonly band?: readonly [low: number, high: number];
  readonly marks?: readonly { readonly x: number; readonly says: string }[] | undefined;
  readonly hint: (series: Series, x: number, y: number) => string;
}

interface Axis {
  readonly title: string;
  readonly min?: number;
  readonly max?: number;
  readonly tick: (value: number) => string;
}

const live = new Map<Chart<'scatter'>, Plot>();
/** What draws each chart that the reader has not come to yet, by its place. */
const waiting = new Map<Element, () => void>();
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) {
        waiting.get(target)?.();
        forget(target);
      }
  },
  { rootMargin: '200px' },
);

/** Runs something once its place is seen, or at once where it is printed. */
export function whenSeen(place: Element, run: () => void): void {
  waiting.set(place, run);
  seen.observe(place);
}

addEventListener('beforeprint', () => {
  for (const [place, run] of waiting) {
    run();
    forget(place);
  }
  for (const chart of live.keys()) chart.resize();
});
addEventListener('afterprint', () => {
  for (const chart of live.keys()) chart.resize();
});

/** Runs at once what waits to be seen and stands on the screen, so that what is drawn anew is never blank. */
export function drawWhatIsSeen(): void {
  for (const [place, run] of waiting) {
    const { top, bottom } = place.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) continue;
    run();
    forget(place);
  }
}

function forget(place: Element): void {
  waiting.delete(place);
  seen.unobserve(place);
}

/** Takes away what was drawn, and what was yet to be, below an element. */
export function clearCharts(below: Element): void {
  for (const place of waiting.keys()) if (below.contains(place)) forget(place);
  for (const chart of live.keys())
    if (below.contains(chart.canvas)) {
      live.delete(chart);
      chart.destroy();
    }
}

/** A chart that is drawn when it is seen, and drawn anew in the colours of day and night. */
export function drawPlot(plot: Plot): HTMLElement {
  const canvas = element('canvas', { role: 'img', 'aria-label': plot.says });
  const frame = element('div', { class: 'plot' }, canvas);
  whenSeen(frame, () => {
    live.set(new Chart(canvas, configure(plot)), plot);
  });
  return frame;
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const [chart, plot] of live) {
    const { data, options = {} } = configure(plot);
    Object.assign(chart, { data, options });
    chart.update();
  }
});

function colour(name: string, look?: ArmLook): string {
  const place = look ? document.querySelector(`.${look.className}`) : document.documentElement;
  return getComputedStyle(place ?? document.documentElement)
    .getPropertyValue(name)
    .trim();
}

function configure(plot: Plot): ChartConfiguration<'scatter'> {
  const ink = colour('--quiet');
  const fontSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.8;
  const font = { size: fontSize, family: getComputedStyle(document.body).fontFamily };
  const axis = ({ title, min, max, tick }: Axis) => ({
    type: 'linear' as const,
    min,
    max,
    title: { display: title !== '', text: title, color: ink, font },
    border: { color: colour('--line') },
    grid: { color: colour('--grid'), tickLength: 4 },
    ticks: {
      color: ink,
      font,
      maxTicksLimit: 7,
      maxRotation: 0,
      callback: (value: string | number) => tick(Number(value)),
    },
  });
  return {
    type: 'scatter',
    data: {
      datasets: plot.series.map((series) => {
        const armOf = (index: number | undefined) =>
          (index === undefined ? undefined : series.points[index]?.look) ?? series.look;
        const paint = ({ dataIndex }: { dataIndex?: number }) =>
          armOf(dataIndex) ? colour('--arm', armOf(dataIndex)) : ink;
        return {
          label: series.label,
          data: series.points.map(({ x, y }) => ({ x, y })),
          showLine: series.line !== undefined,
          stepped: series.line === 'stepped' ? ('before' as const) : false,
          borderColor: () => paint({}),
          backgroundColor: paint,
          pointBorderColor: paint,
          borderWidth: 2,
          borderDash: [...(series.dash ?? [])],
          pointRadius: series.radius ?? 0,
          pointHitRadius: 8,
          clip: false as const,
          pointHoverRadius: 5,
          pointStyle: ({ dataIndex }: { dataIndex: number }) => armOf(dataIndex)?.shape ?? 'circle',
        };
      }),
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      normalized: true,
      interaction: { mode: 'nearest', intersect: true },
      scales: { x: axis(plot.x), y: axis(plot.y) },
      plugins: {
        tooltip: {
          displayColors: false,
          callbacks: {
            label: ({ datasetIndex, parsed }) => plot.hint(plot.series[datasetIndex]!, parsed.x ?? 0, parsed.y ?? 0),
          },
        },
      },
    },
    plugins: [background(plot)],
  };
}

/** The shaded range and the marked places, behind the series. */
function background({ band, marks = [] }: Plot): Plugin<'scatter'> {
  return {
    id: 'background',
    beforeDatasetsDraw({ ctx, chartArea: { left, right, top, bottom }, scales: { x, y } }) {
      ctx.save();
      if (band && y) {
        const [low, high] = band.map((value) => Math.min(bottom, Math.max(top, y.getPixelForValue(value)))) as [
          number,
          number,
        ];
        ctx.fillStyle = colour('--band');
        ctx.fillRect(left, high, right - left, low - high);
      }
      ctx.strokeStyle = colour('--ink');
      ctx.fillStyle = colour('--ink');
      ctx.font = `${Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.78}px ${getComputedStyle(document.body).fontFamily}`;
      for (const { x: at, says } of marks) {
        if (!x) continue;
        const place = x.getPixelForValue(at);
        ctx.setLineDash([3, 3]);
        ctx.beginPath();
        ctx.moveTo(place, top);
        ctx.lineTo(place, bottom);
        ctx.stroke();
        const isLeft = place + ctx.measureText(says).width + 8 > right;
        ctx.textAlign = isLeft ? 'right' : 'left';
        ctx.fillText(says, place + (isLeft ? -5 : 5), top + 12);
      }
      ctx.restore();
    },
  };
}
