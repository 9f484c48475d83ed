import { toThousandths } from '../findings/arm-summary.ts';
import { titleOfPage } from '../model/condition-title.ts';
import type { FoundStudy } from '../model/found-study.ts';
import { referencePageOf, referenceTimes } from '../model/reference.ts';
import type { Plan } from '../model/study.ts';
import { median } from '../stats/order.ts';
import { counted } from './counted.ts';
import type { PageReference } from './page-data.ts';

/** How the loads of a study were watched, and what of that is in their times; `netLogs` loads have a network log. */
export function describeWatching(found: FoundStudy, netLogs: number): string {
  const { plan, measurements } = found;
  const remote = plan.conditions.filter((condition) => isRemote(plan, condition)).map(({ id }) => id);
  const own = measurements.filter(({ condition }) => !remote.includes(condition));
  // Only for a watched load is it known how many of its objects were not looked into.
  const watched = own.filter((each) => each.status === 'ok' && each.undigestedObjects !== undefined).length;
  const crowds = plan.conditions.filter(({ tabs }) => tabs !== undefined).length;
  return [
    ...(plan.har === 'full'
      ? [`The browser logged each request of the counted loads (--har full), which slows them.${mostAdded(found)}`]
      : watched > 0
        ? [`The browser logged each request of ${counted(watched, 'load')}, which slowed them.`]
        : own.length > 0
          ? [
              'Nothing watched the browser during counted loads. Their times are from the page’s own record, which Photofinish read afterwards.',
            ]
          : []),
    ...(plan.har !== 'full' && referencesOf(found).length > 0
      ? [
          'One more load of each page by each arm was watched, over a link without limits. It does not count. The archives (HAR) of the other loads take headers, priorities, initiators, types and status texts from it.',
        ]
      : []),
    ...(crowds > 0 ? ['Photofinish asked each tab of a crowd afterwards what it had loaded.'] : []),
    ...(remote.length > 0
      ? ['Loads from servers outside the lab are always watched, because Photofinish does not have their logs.']
      : []),
    ...(netLogs > 0
      ? [`The browser wrote a log of its network during ${counted(netLogs, 'load')} (--netlog), which slowed them.`]
      : []),
  ].join(' ');
}

/** What each page takes over a link without limits, watched and not; pages outside the lab are always watched. */
export function referencesOf({ plan, references }: FoundStudy): readonly PageReference[] {
  const pages = new Map(
    plan.conditions
      .filter((condition) => !isRemote(plan, condition))
      .map((condition) => [referencePageOf(condition), titleOfPage(condition, plan)]),
  );
  return [...pages].flatMap(([page, title]) =>
    plan.arms.flatMap(({ name: arm }) => {
      const [bareMs, watchedMs] = [false, true].map((watched) => {
        const times = referenceTimes(references, { page, arm, watched });
        return times.length === 0 ? undefined : toThousandths(median(times));
      });
      if (bareMs === undefined && watchedMs === undefined) return [];
      return [{ title, arm, bareMs, watchedMs }];
    }),
  );
}

/** The page and the arm to which watching adds most, in a sentence; nothing where that is not known. */
function mostAdded(found: FoundStudy): string {
  const added = referencesOf(found).flatMap(({ title, arm, bareMs, watchedMs }) =>
    bareMs === undefined || watchedMs === undefined ? [] : [{ title, arm, ms: Math.round(watchedMs - bareMs) }],
  );
  const [most] = added.toSorted((a, b) => b.ms - a.ms);
  if (!most) return '';
  if (most.ms <= 0) return ' Over a link without limits that adds nothing that could be measured.';
  const more = added.length > 1 ? ', the most of all' : '';
  return ` Over a link without limits, watching adds ${most.ms} ms to ${most.title} by ${most.arm}${more}.`;
}

function isRemote({ sites }: Plan, { site }: Plan['conditions'][number]): boolean {
  return sites[site]!.remote !== undefined;
}
