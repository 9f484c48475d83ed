import type { PageFilm } from '../../harness/report/page-data.ts';
import { chip } from '../arms.ts';
import { element } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { time } from '../wording.ts';

const MOMENTS = 8;

/** What a visitor sees with each arm at the same moments; nothing where nothing was filmed. */
export function drawFilms(report: Report, { films }: ReportCondition): HTMLElement | undefined {
  if (!films) return undefined;
  const endMs = Math.max(...films.map(({ pltMs, frames }) => Math.max(pltMs, frames.at(-1)!.atMs)));
  const moments = Array.from({ length: MOMENTS }, (_, index) => (endMs * (index + 1)) / MOMENTS);
  return element(
    'div',
    { class: 'wide' },
    element('h3', {}, 'What a visitor sees'),
    element(
      'p',
      { class: 'quiet' },
      'From one more load of each arm. It does not count, since taking pictures takes time. A thick frame marks what has changed since the moment before.',
    ),
    element(
      'div',
      { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': 'Filmstrips' },
      element(
        'table',
        { class: 'films' },
        element(
          'thead',
          {},
          element('tr', {}, element('td', {}), ...moments.map((ms) => element('th', { scope: 'col' }, time(ms)))),
        ),
        element('tbody', {}, ...films.map((film) => drawStrip(report, film, moments))),
      ),
    ),
  );
}

function drawStrip(report: Report, { arm, frames }: PageFilm, moments: readonly number[]): HTMLElement {
  const look = report.lookOf(arm);
  const cells = moments.map((ms, index) => {
    const frame = frames.findLast(({ atMs }) => atMs <= ms);
    if (!frame) return element('td', {}, element('span', { class: 'blank' }, 'blank'));
    const isNew = frame.atMs > (moments[index - 1] ?? -1);
    const src = `data:image/jpeg;base64,${report.data.pictures[frame.picture]}`;
    return element(
      'td',
      { class: isNew ? 'new' : undefined },
      element('img', { src, alt: `${look.title} after ${time(ms)}` }),
    );
  });
  return element('tr', { 'data-arm': arm }, element('th', { scope: 'row' }, chip(look)), ...cells);
}
