import type { ArmSummary } from '../findings/arm-summary.ts';
import type { ComparisonSummary, ConditionSummary, ControlSummaries, Summary } from '../findings/summary.ts';
import { isCpuBound } from '../measurement/saturation.ts';
import type { TreeFindings } from '../model/tree.ts';
import { describeCpuBound } from './cpu-bound.ts';
import { renderMix } from './mix-text.ts';
import { renderTable, type TerminalColumn } from './table.ts';
import { renderThenAndNow } from './then-and-now-text.ts';
import { renderTree } from './tree.ts';

/** So many conditions have their figures on the terminal too; those of more are in `summary.json`. */
const DETAILED = 4;

/** What a study found, as text on the terminal, with the answer last, where one looks. */
export function renderFindings(summary: Summary): string {
  const { conditions, advice, controls, loads } = summary;
  const arms = Object.keys(conditions[0]!.arms);
  const bound = describeCpuBound(conditions);
  const parts = [
    ...(conditions.length <= DETAILED ? [renderDetails(conditions)] : []),
    renderVerdicts(conditions, arms),
    ...(conditions.length > 1 && summary.tree ? [renderTree(treeOf(summary), arms)] : []),
    ...(bound ? [`${bound} (column CPU-bound).`] : []),
    renderControls(controls),
    `${loads.counted} loads counted, ${loads.failed} of them failed; beside them ${loads.void} void, ${loads.control} of the control, ${loads.warmup} to warm up.`,
    ...(advice && advice.byProfile.length > 1 ? [renderMix(advice, arms)] : []),
    ...(summary.thenAndNow ? [renderThenAndNow(summary.thenAndNow)] : []),
    ...(advice ? [advice.text] : []),
  ];
  return parts.join('\n\n');
}

function treeOf({ tree, regret, baselines, leaveOneOut }: Summary): TreeFindings {
  const always = Object.entries(baselines!).map(([name, own]) => [name.replace('always ', ''), own]);
  return { tree: tree!, regret: regret!, baselines: Object.fromEntries(always), leaveOneOut: leaveOneOut! };
}

/** A line for each condition: what each arm takes, and what is proven. */
function renderVerdicts(conditions: readonly ConditionSummary[], arms: readonly string[]): string {
  const differ = (of: (condition: ConditionSummary) => unknown) => new Set(conditions.map(of)).size > 1;
  const columns: TerminalColumn<ConditionSummary>[] = [
    { title: 'site', text: ({ site }) => site },
    { title: 'link', text: ({ link }) => `${link.name}` },
    ...(differ(({ server }) => server) ? [{ title: 'server', text: ({ server }: ConditionSummary) => server }] : []),
    ...(differ(({ visit }) => visit) ? [{ title: 'visit', text: ({ visit }: ConditionSummary) => visit }] : []),
    ...(conditions.some(({ tabs }) => tabs !== undefined)
      ? [{ title: 'tabs', align: 'right', text: ({ tabs }: ConditionSummary) => `${tabs ?? ''}` } as const]
      : []),
    ...arms.map(
      (arm): TerminalColumn<ConditionSummary> => ({
        title: `${arm} ms`,
        align: 'right',
        text: (condition) => timeOf(condition.arms[arm]!),
      }),
    ),
    { title: 'blocks', align: 'right', text: ({ blocks }) => `${blocks}` },
    ...(conditions.some(isCpuBound)
      ? [
          {
            title: 'CPU-bound',
            align: 'right',
            text: ({ cpuBoundShare }: ConditionSummary) => `${Math.round(100 * cpuBoundShare)} %`,
          } as const,
        ]
      : []),
    { title: 'fastest', text: describeLabel },
  ];
  return renderTable(columns, conditions);
}

/** What an arm's loads take that finish. */
function timeOf({ medianMs, ok, failed }: ArmSummary): string {
  return ok === 0 && failed > 0 ? 'fails' : whole(medianMs);
}

/** The arms that are as good as any, by how much they are ahead, and what is not known. */
function describeLabel({ label, state, comparisons, arms }: ConditionSummary): string {
  const { unbeaten, open, beaten } = label;
  if (Object.values(arms).every(({ ok, failed }) => ok + failed === 0))
    return state === 'broken' ? 'not measured: void again and again' : 'not measured yet';
  if (comparisons.length === 0) return 'nothing to compare it with';
  if (beaten.length === 0 && unbeaten.length === 0) return `undecided${why(state)}`;
  const best = [...unbeaten, ...open];
  const lead = beaten.length > 0 ? leadOf(best, beaten, comparisons) : undefined;
  const names = open.length === 0 ? unbeaten.join(' = ') : `${best.join(' or ')}, undecided${why(state)}`;
  return beaten.length === 0
    ? `${names} (tie)`
    : `${names}${lead === undefined ? '' : ` (${lead} before ${beaten.join(', ')})`}`;
}

function why(state: ConditionSummary['state']): string {
  return state === 'open' || state === 'waiting' ? ' so far' : '';
}

/** By how much the winners are ahead of those they beat, at least and at most. */
function leadOf(
  best: readonly string[],
  beaten: readonly string[],
  comparisons: readonly ComparisonSummary[],
): string | undefined {
  const leads = comparisons.flatMap(({ a, b, verdict, ratio }) => {
    const [winner, loser, own] = verdict === 'a' ? [a, b, ratio] : [b, a, 1 / ratio];
    const counts = (verdict === 'a' || verdict === 'b') && best.includes(winner) && beaten.includes(loser);
    return counts && Number.isFinite(own) ? [Math.round(100 * (1 - own))] : [];
  });
  if (leads.length === 0) return undefined;
  const [least, most] = [Math.min(...leads), Math.max(...leads)];
  return least === most ? `${least} %` : `${least} to ${most} %`;
}

/** The figures of each condition and arm. */
function renderDetails(conditions: readonly ConditionSummary[]): string {
  const rows = conditions.flatMap((condition) =>
    Object.entries(condition.arms).map(([arm, summary]) => ({ condition, arm, summary })),
  );
  type Row = (typeof rows)[number];
  const figure = (title: string, of: (summary: ArmSummary) => number | undefined): TerminalColumn<Row> => ({
    title,
    align: 'right',
    text: ({ summary }) => whole(of(summary)),
  });
  const columns: TerminalColumn<Row>[] = [
    { title: 'condition', text: (row) => row.condition.id },
    { title: 'arm', text: (row) => row.arm },
    figure('median ms', ({ medianMs }) => medianMs),
    figure('p95 ms', ({ p95Ms }) => p95Ms),
    figure('loads', ({ ok }) => ok),
    figure('failed', ({ failed }) => failed),
    figure('requests', ({ requests }) => requests),
    figure('in flight', ({ peakInFlight }) => peakInFlight),
    figure('connections', ({ connections }) => connections),
    figure('bytes down', ({ bytesDown }) => bytesDown),
    figure('up', ({ bytesUp }) => bytesUp),
    ...(rows.some(({ summary }) => summary.loadedRttMs !== undefined)
      ? [figure('RTT meanwhile', ({ loadedRttMs }) => loadedRttMs)]
      : []),
    ...(rows.some(({ summary }) => summary.besideKbps !== undefined)
      ? [
          figure('own kbit/s', ({ ownKbps }) => ownKbps),
          figure('beside it', ({ besideKbps }) => besideKbps),
          {
            title: 'fairness',
            align: 'right',
            text: ({ summary }: Row) => summary.fairness?.toFixed(3) ?? '',
          } as const,
        ]
      : []),
    { title: 'overhead %', align: 'right', text: ({ summary }) => summary.overheadPercent?.toFixed(1) ?? '' },
    ...(rows.some(({ summary }) => summary.lighthouse !== undefined)
      ? [figure('Lighthouse', ({ lighthouse }) => lighthouse && 100 * lighthouse)]
      : []),
  ];
  return renderTable(columns, rows);
}

function whole(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(0);
}

/** Whether the harness can be believed: what it makes of an arm and its twin, and of a delay that is known. */
export function renderControls({ aa, planted }: ControlSummaries): string {
  if (aa.blocks === 0) return 'No control: too few blocks for one to say anything.';
  const twin = `Control: an arm and its twin ${aa.passed ? (aa.verdict === 'tie' ? 'tie' : 'are not told apart') : 'DIFFER, which they must not'} (${aa.blocks} blocks)`;
  const delay = planted.delayMs === undefined ? 'a planted delay' : `a planted delay of ${planted.delayMs} ms`;
  if (planted.found) return `${twin}; ${delay} is found (${planted.blocks} blocks).`;
  return `${twin}; ${delay} is ${planted.open ? 'not found yet: too few blocks to tell' : 'NOT FOUND, which it must be'} (${planted.blocks} blocks).`;
}
