import { UsageError } from '../model/errors.ts';
import { isAddress, REMOTE } from '../model/remote.ts';
import type { Grid } from '../model/study.ts';
import { renderLink } from './link-text.ts';
import { shortened } from './place.ts';
import type { StudySources } from './sources.ts';
import { DIMENSIONS, type GridWish, type PlacedWish, type StudyWish } from './wish.ts';

/** More conditions would take longer than any user waits. */
const MAX_CONDITIONS = 10_000;

/** The grids of a wish, with every default filled in and each condition once. */
export function resolveGrids({ wish, place }: PlacedWish, sources: StudySources): Grid[] {
  const asked = gridsOf(wish).flatMap((grid, index) =>
    withOwnServers(grid, place([...(wish.grids ? ['grids', index] : []), 'servers'])),
  );
  const grids = asked.map(
    ({ servers = [sources.servers[0]], visits = ['cold' as const], ...grid }): Grid => ({
      ...grid,
      servers,
      visits,
      topology: grid.tabs ? 'crowd' : grid.topology,
    }),
  );
  const count = grids.reduce((sum, grid) => sum + countConditions(grid), 0);
  if (count > MAX_CONDITIONS)
    throw new UsageError(
      `${place([wish.grids ? 'grids' : 'links'])}: ${count} conditions are too many. Expected: up to ${MAX_CONDITIONS}`,
    );
  return withoutRepeats(grids, (index, condition, other) => {
    // Grids that an option or the short form made alike may have conditions in common.
    if (DIMENSIONS.some((key) => wish[key])) return;
    throw new UsageError(
      `${place(['grids', index])}: has (${condition.replaceAll('|', ', ')}), as grids[${other}] has. Expected: each condition once`,
    );
  });
}

/**
 * A page that exists already is served by its own servers alone: a grid that has both addresses and names becomes two.
 * All servers that were named must have something to serve.
 */
function withOwnServers({ sites, servers, ...grid }: GridWish, where: string): readonly GridWish[] {
  const [addresses, names] = [sites.filter(isAddress), sites.filter((site) => !isAddress(site))];
  const others = servers?.filter((server) => server !== REMOTE);
  if (addresses.length > 0 && servers && !servers.includes(REMOTE))
    throw new UsageError(`${where}: ${servers[0]} does not serve ${shortened(addresses[0]!)}. Expected: ${REMOTE}`);
  if (addresses.length === 0 && servers?.includes(REMOTE))
    throw new UsageError(`${where}: ${REMOTE} serves no site of that name. Expected: an address, as in https://…`);
  if (names.length > 0 && others?.length === 0)
    throw new UsageError(`${where}: ${REMOTE} does not serve "${names[0]}". Expected: a server of the lab's as well`);
  return [
    ...(names.length > 0 ? [{ ...grid, sites: names, servers: others }] : []),
    ...(addresses.length > 0 ? [{ ...grid, sites: addresses, servers: [REMOTE] }] : []),
  ];
}

/** Grids without repeated conditions: one that has some becomes its other conditions, each a grid by itself. */
function withoutRepeats(
  grids: readonly Grid[],
  repeated: (grid: number, condition: string, earlier: number) => void,
): Grid[] {
  const gridOf = new Map<string, number>();
  return grids.flatMap((grid, index) => {
    const conditions = singlesOf(grid).map((single) => ({ single, name: nameCondition(single) }));
    const again = conditions.filter(({ name }) => gridOf.has(name));
    for (const { name } of again) repeated(index, name, gridOf.get(name)!);
    for (const { name } of conditions) if (!gridOf.has(name)) gridOf.set(name, index);
    return again.length === 0 ? [grid] : conditions.filter((each) => !again.includes(each)).map(({ single }) => single);
  });
}

/** The grids of one condition that a grid is made of. */
export function singlesOf({ tabs, ...grid }: Grid): Grid[] {
  const { sites, links, servers, visits } = grid;
  const ofOneNumberOfTabs = tabs ? tabs.map((number) => ({ ...grid, tabs: [number] })) : [grid];
  return sites.flatMap((site) =>
    links.flatMap((link) =>
      servers.flatMap((server) =>
        visits.flatMap((visit) =>
          ofOneNumberOfTabs.map((one) => ({
            ...one,
            sites: [site],
            links: [link],
            servers: [server],
            visits: [visit],
          })),
        ),
      ),
    ),
  );
}

/** The name of a grid's one condition, however its link was written. */
function nameCondition({ sites, links, servers, visits, topology, tabs = [] }: Grid): string {
  const among = topology === undefined || topology === 'direct' ? [] : [topology];
  return [...sites, ...links.map(renderLink), ...servers, ...visits, ...among, ...tabs].join('|');
}

function gridsOf({ grids, sites = [], links = [], servers, visits, topology, tabs }: StudyWish): readonly GridWish[] {
  return grids ?? [{ sites, links, servers, visits, topology, tabs }];
}

/** How many conditions a grid has. */
export function countConditions({ sites, links, servers, visits, tabs = [1] }: Grid): number {
  return sites.length * links.length * servers.length * visits.length * tabs.length;
}
