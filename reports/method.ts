import { largestPart } from '../harness/findings/floor.ts';
import type { MachineSummary } from '../harness/findings/machines.ts';
import type { LoadCounts } from '../harness/findings/summary.ts';
import { uncountedOf } from '../harness/findings/uncounted.ts';
import type { LinkCheck } from '../harness/model/calibration.ts';
import { fullTitleOfLink } from '../harness/model/link-title.ts';
import type { CarriedPackets, LoadLoss, PageCalibration, PageReference } from '../harness/report/page-data.ts';
import { type Child, element, htmlTable, lead, named, section, unfolding } from './elements.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report, ReportCondition } from './report.ts';
import { count, figure, moment, percent, time } from './wording.ts';

/** How it was measured: what another needs to do it again, or to doubt it. */
export function drawMethod(first: Report): Part {
  const place = openPlace();
  const update = (report: Report) => {
    const { method, summary } = report.data;
    place.fill([method, summary.loads, summary.controls, hostLoadOf(report)], () => methodOf(report));
  };
  update(first);
  return { node: section('method', 'How it was measured', place.node), title: 'Method', show: () => {}, update };
}

function methodOf(report: Report): Child[] {
  const { method, summary } = report.data;
  const { loads, overheadMsMedian } = summary;
  const cost = overheadMsMedian === undefined ? '' : ` Around each load Photofinish needs ${overheadMsMedian} ms more.`;
  return [
    lead(
      'This command runs the same study again',
      method.commandNeeds !== undefined && `, with ${method.commandNeeds}`,
      ':',
    ),
    drawCommand(method.command),
    element(
      'dl',
      { class: 'method-facts' },
      ...method.facts.flatMap(({ name, value }) => [element('dt', {}, name), element('dd', {}, named(value, 600))]),
      element('dt', {}, 'Loads'),
      element(
        'dd',
        {},
        `${count(loads.counted, 'load')} counted, ${loads.failed} of them failed. ${loads.void} more were void, and ${loads.superseded} were in a block with a void one.${tellDisturbed(loads)} ${tellUncounted(loads)}${cost}`,
      ),
    ),
    drawControls(report),
    drawCalibrations(method.calibrations),
    drawReferences(report),
    element('h3', {}, 'Machine, loads, settings'),
    drawHostLoad(report),
    drawLosses(report),
    drawMachines(report),
    drawSessions(report),
    ...method.texts.map(({ title, text }) =>
      unfolding(title.slice(0, 120), () =>
        element(
          'div',
          { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': title.slice(0, 120) },
          element('pre', {}, text),
        ),
      ),
    ),
  ];
}

/** How many of all loads do not count, and what they are for. */
function tellUncounted(loads: LoadCounts): string {
  const { control, warmup, reference, film } = loads;
  const { loads: uncounted, of } = uncountedOf(loads);
  const share = percent((100 * uncounted) / Math.max(of, 1));
  return `${uncounted} of all ${count(of, 'load')} do not count (${share}): ${control} of the self-test, ${warmup} to warm browsers up, ${reference} for reference, ${film} for films.`;
}

function tellDisturbed({ disturbed }: LoadCounts): string {
  return disturbed === 0
    ? ''
    : ` ${count(disturbed, 'load')} waited too long for the processor and had to be made again.`;
}

function hostLoadOf({ conditions }: Report) {
  return conditions.map((condition) => [condition.coreBusyShare, shareOf(condition), condition.stolenShare]);
}

/** The processor's share of the load time, in percent, in the arm where it is largest. */
function shareOf(condition: ReportCondition): number | undefined {
  const part = largestPart(condition);
  return part && 100 * part.share;
}

function drawCommand(command: string): HTMLElement {
  const says = element('span', { class: 'quiet', role: 'status' });
  const copy = async () => {
    await navigator.clipboard?.writeText(command);
    says.textContent = 'copied';
  };
  return element(
    'div',
    { class: 'command' },
    // An option's dashes are no place to break a line.
    element('code', { tabindex: 0 }, ...command.split(/(?<= )/).map((word) => element('span', {}, word))),
    element('button', { type: 'button', click: () => void copy() }, 'Copy'),
    says,
  );
}

function drawControls({ data: { summary } }: Report): HTMLElement {
  const { aa, planted } = summary.controls;
  const twin =
    aa.blocks === 0
      ? 'not measured'
      : aa.passed
        ? aa.verdict === 'tie'
          ? 'alike: passed'
          : 'no difference: passed'
        : 'different: FAILED';
  const delay =
    planted.blocks === 0
      ? 'not measured'
      : planted.found
        ? 'found: passed'
        : planted.open
          ? 'not found yet: too few blocks to tell'
          : 'not found: FAILED';
  return element(
    'div',
    {},
    element('h3', {}, 'Self-test'),
    htmlTable(
      'Self-test',
      [
        { title: 'What', cell: ([what]) => what },
        { title: 'Outcome', cell: ([, outcome]) => outcome },
        { title: 'Blocks', numeric: true, cell: ([, , blocks]) => blocks },
      ],
      [
        ['An arm and its twin', twin, `${aa.blocks}`],
        [
          `A delay added on purpose${planted.delayMs === undefined ? '' : `: ${planted.delayMs} ms`}`,
          delay,
          `${planted.blocks}`,
        ],
      ] as const,
    ),
  );
}

function drawCalibrations(calibrations: readonly PageCalibration[]): HTMLElement {
  return element(
    'div',
    {},
    element('h3', {}, 'Calibration'),
    calibrations.length === 0 ? element('p', {}, 'No link was calibrated yet.') : undefined,
    ...calibrations.map(({ link, ok, checks, attempts, carried }) => {
      const says = `${fullTitleOfLink(link).slice(0, 80)}: ${ok ? 'within tolerance' : 'OUT OF TOLERANCE'}${attempts > 1 ? ` at attempt ${attempts}` : ''}`;
      const table = () => element('div', {}, checkTable(link, checks), carried && drawCarried(carried));
      const details = unfolding(says, table, {
        class: ok ? 'ok' : 'off',
        'data-link': link.slice(0, 200),
      });
      if (!ok) details.open = true;
      return details;
    }),
  );
}

/** What the link did in the loads themselves: some hundred probes tell little of a loss of 1 %. */
function drawCarried({ down, up }: NonNullable<PageCalibration['carried']>): HTMLElement {
  const lost = (packets: CarriedPackets, where: string) =>
    `${count(packets.sent, 'packet')} ${where}, of which ${shareLost(packets)}`;
  return element('p', {}, `In the loads themselves: ${lost(down, 'to the visitor')}; ${lost(up, 'to the server')}.`);
}

function shareLost({ sent, lost }: CarriedPackets): string {
  if (lost === undefined) return 'some came twice, so that it is not known how many were lost';
  return `${figure((100 * lost) / Math.max(sent, 1), 2)} % were lost on the link or dropped by its full queue`;
}

function checkTable(link: string, checks: readonly LinkCheck[]): HTMLElement {
  return htmlTable<LinkCheck>(
    `Calibration of ${link.slice(0, 80)}`,
    [
      { title: 'Figure', cell: (check) => check.figure },
      { title: 'Asked', numeric: true, cell: ({ asked }) => figure(asked, 2) },
      { title: 'Measured', numeric: true, cell: ({ measured }) => figure(measured, 2) },
      {
        title: 'Allowed',
        numeric: true,
        cell: ({ within }) => (within ? `${figure(within[0], 2)} to ${figure(within[1], 2)}` : '–'),
      },
      { title: 'Unit', cell: ({ unit }) => unit },
      {
        title: 'Note',
        cell: ({ within, ok, why }) => [within ? (ok ? 'ok' : 'out of tolerance') : '', why].filter(Boolean).join(': '),
      },
    ],
    checks,
  );
}

/** What pages take without a link's limits: the machine's own part, and what watching adds. */
function drawReferences({ data: { method }, titleOf }: Report): HTMLElement | undefined {
  const { references } = method;
  if (!references) return undefined;
  const added = ({ bareMs, watchedMs }: PageReference) =>
    bareMs === undefined || watchedMs === undefined ? '–' : `${figure(watchedMs - bareMs, 0)} ms`;
  return unfolding(
    'Loads over a link without limits',
    () =>
      htmlTable<PageReference>(
        'Loads over a link without limits',
        [
          { title: 'Page', cell: ({ title }) => named(title, 80) },
          { title: 'Protocol', cell: ({ arm }) => titleOf(arm) },
          { title: 'Not watched, median', numeric: true, cell: ({ bareMs }) => time(bareMs) },
          { title: 'Watched, median', numeric: true, cell: ({ watchedMs }) => time(watchedMs) },
          { title: 'Watching adds', numeric: true, cell: added },
        ],
        references,
      ),
    { 'data-key': 'references' },
  );
}

function drawHostLoad(report: Report): HTMLElement {
  return unfolding('Load of the measuring machine', () =>
    htmlTable<ReportCondition>(
      'Load of the machine',
      [
        { title: 'Condition', cell: ({ title }) => named(title, 80) },
        {
          title: 'Busiest core, median',
          numeric: true,
          cell: ({ coreBusyShare }) => percent(coreBusyShare === undefined ? undefined : 100 * coreBusyShare),
        },
        {
          title: 'Processor’s part of the load time, at most',
          numeric: true,
          cell: (condition) => percent(shareOf(condition)),
        },
        {
          title: 'Given to others by its host, mean',
          numeric: true,
          cell: ({ stolenShare }) => percent(stolenShare === undefined ? undefined : 100 * stolenShare),
        },
      ],
      report.conditions,
    ),
  );
}

function drawLosses({ data: { method }, conditions }: Report): HTMLElement | undefined {
  const { losses, lossCount } = method;
  if (lossCount === 0) return element('p', { class: 'quiet none' }, 'No load failed, and none was void.');
  const titles = new Map(conditions.map(({ id, title }) => [id, title]));
  const shown = losses.length < lossCount ? ` (the first ${losses.length})` : '';
  return unfolding(
    `Failed and void loads: ${lossCount}${shown}`,
    () =>
      htmlTable<LoadLoss>(
        'Failed and void loads',
        [
          { title: 'Condition', cell: ({ condition }) => named(titles.get(condition) ?? condition, 80) },
          { title: 'Arm', cell: ({ arm }) => arm },
          { title: 'Block', numeric: true, cell: ({ block }) => `${block + 1}` },
          { title: 'Result', cell: ({ status, reason }) => `${status}: ${reason}` },
          { title: 'Message', cell: ({ says }) => named(says, 200) },
        ],
        losses,
      ),
    { 'data-key': 'losses' },
  );
}

/** The machines of a study that workers ran, each against the others: 1.02 is 2 % longer. */
/** What an A/A test between machines comes to, in words. */
const AA_WORDS: Readonly<Record<MachineSummary['aa'], string>> = {
  alike: 'alike',
  differs: 'different',
  undecided: 'not told apart yet',
};

function drawMachines({ data }: Report): HTMLElement | undefined {
  const { machines } = data.summary;
  if (!machines) return undefined;
  const ratio = (of: MachineSummary['loadTimes']) =>
    of?.interval === undefined
      ? figure(of?.ratio, 3)
      : `${figure(of.ratio, 3)} (${of.interval.map((end) => figure(end, 3)).join(' to ')})`;
  return unfolding(
    `Machines: ${machines.length}`,
    () =>
      htmlTable<MachineSummary>(
        'Machines, each against the others',
        [
          { title: 'Machine', cell: ({ name }) => named(name, 80) },
          { title: 'Hardware and versions', cell: ({ is }) => named(is, 300) },
          { title: 'Loads', numeric: true, cell: ({ loads }) => `${loads}` },
          { title: 'Load time, ratio', numeric: true, cell: ({ loadTimes }) => ratio(loadTimes) },
          { title: 'Verdict', cell: ({ aa }) => AA_WORDS[aa] },
          { title: 'Difference of arms, ratio', numeric: true, cell: ({ armRatios }) => ratio(armRatios) },
          { title: 'Load time without link limits, ratio', numeric: true, cell: ({ floor }) => figure(floor, 3) },
          { title: 'Notes', cell: ({ says }) => named(says.join('; ') || '–', 400) },
        ],
        machines,
      ),
    { 'data-key': 'machines' },
  );
}

function drawSessions({ data: { method } }: Report): HTMLElement {
  return unfolding(
    `Sessions: ${method.sessions.length}`,
    () =>
      htmlTable(
        'Sessions',
        [
          { title: 'Session', numeric: true, cell: ({ number }) => `${number}` },
          { title: 'Began', cell: ({ beganMs }) => moment(beganMs) },
          {
            title: 'Took',
            numeric: true,
            cell: ({ beganMs, lastMs }) => `${figure((lastMs - beganMs) / 60_000, 1)} min`,
          },
          {
            title: 'Machine',
            cell: ({ machine }) =>
              named(
                `${machine.cpu}, ${machine.cores} cores, kernel ${machine.kernel}, Chromium ${machine.chromium}`,
                200,
              ),
          },
          { title: 'Notes', cell: ({ notes }) => named(notes.join('; ') || '–', 400) },
        ],
        method.sessions,
      ),
    { 'data-key': 'sessions' },
  );
}
