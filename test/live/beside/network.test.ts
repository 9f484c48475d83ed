import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect } from '@jest/globals';
import { DEFAULT_TUNING, type Network, openNetwork } from '../../../harness/network/network.ts';
import { openLabNetwork } from '../../../harness/run/lab-network.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { canGiveWay } from '../../../harness/system/give-way.ts';
import { run } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { labTest, labTestBeside, noLab } from '../lab.ts';
import { measure } from '../link-figures.ts';

const LOSE_ALARM = fileURLToPath(new URL('./lose-alarm.pl', import.meta.url));

/** The first client and server, and the last ones where there are others. */
function outermost({ clients, servers }: Network) {
  const pairs = [0, -1].map((index) => ({ client: clients.at(index)!, server: servers.at(index)! }));
  return clients.length > 1 ? pairs : pairs.slice(1);
}

describe.each(['routed', 'dumbbell', 'crowd'] as const)('%s', (topology) => {
  labTestBeside(
    `${topology}: the first ends and the last reach each other over the one link`,
    async () => {
      const asked = linkOf('rate=10mbit,rtt=40ms');
      await inPeace(async () => {
        await using network = await openLabNetwork(topology);
        await network.setLink(asked);
        for (const between of outermost(network)) {
          const figures = await measure(network, asked, { echoes: 30, lossProbes: 20, streamMs: 0 }, between);
          expect(figures.rttMs).toBeGreaterThan(39.5);
          expect(figures.rttMs).toBeLessThan(41.5);
          expect(figures.directions.down.udpKbps! / 10_000).toBeCloseTo(1, 1);
          expect(figures.directions.up.queuePackets).toBe(asked.up.queuePackets);
        }
      });
    },
    120_000,
  );
});

describe('this kernel’s own router, without a link to shape', () => {
  labTestBeside(
    'connects every client with every server, in each topology',
    async () => {
      for (const topology of ['dumbbell', 'crowd'] as const) {
        const options = { lab: `own-${topology}`, topology, tuning: DEFAULT_TUNING, driver: 'kernel' } as const;
        await using network = await openNetwork(options);
        for (const client of network.clients)
          for (const server of network.servers) {
            const open = linkOf('rate=unlimited');
            const effort = { echoes: 10, lossProbes: 10, streamMs: 0 };
            await inPeace(async () => {
              const figures = await measure(network, open, effort, { client, server });
              expect(figures).toMatchObject({ rttProbes: 10, directions: { down: { lost: 0 }, up: { lost: 0 } } });
            });
          }
      }
    },
    120_000,
  );
});

// After all others, since they count what is there.
const userModeKernel = noLab === undefined ? (readTools().uml ?? undefined) : undefined;
const noUserModeKernel = noLab ?? (userModeKernel ? undefined : 'there is no user-mode kernel');

/** A network whose link is a user-mode kernel, and the number of that. */
async function openWithKernel(lab: string) {
  const others = userModeKernels();
  const options = { lab, topology: 'direct', tuning: DEFAULT_TUNING, driver: 'uml', userModeKernel } as const;
  const network = await openNetwork(options);
  return { network, kernel: userModeKernels().find((pid) => !others.includes(pid))! };
}

labTest(
  'a link whose user-mode kernel dies says so at once, and takes no more orders',
  async () => {
    await inPeace(async () => {
      const { network, kernel } = await openWithKernel('dying');
      await using _ = network;
      expect(network.healthy()).toBe(true);
      process.kill(kernel, 'SIGKILL');
      const late = setTimeout(1_000, 'late');
      expect(await Promise.race([network.ended, late])).toBe('the user-mode kernel ended (SIGKILL)');
      expect(network.healthy()).toBe(false);
      await expect(network.setLink(linkOf('4g'))).rejects.toThrow(/the user-mode kernel ended \(SIGKILL\)/);
    });
  },
  60_000,
  noUserModeKernel,
);

labTest(
  'a link whose user-mode kernel plays a trace no more says so when it is asked',
  async () => {
    const { network } = await openWithKernel('unplayed');
    await using _ = network;
    await network.setLink(linkOf('train'));
    expect(await network.answers()).toBe(true);
    // Where there is none, as before the first has begun, `pidof` fails.
    const players = async () => (await network.router.show(['pidof', 'perl']).catch(() => '')).trim().split(/\s+/);
    while ((await players()).length < 2) await setTimeout(20); // One for each direction.
    const [player] = await players();
    await network.router.show(['kill', player!]);
    // It has gone once the signal is dealt with, which may be later where the machine is busy.
    while ((await players()).includes(player!)) await setTimeout(20);
    expect(await network.answers()).toBe(false);
    expect(await network.ended).toBe('the player of a trace ended');
  },
  60_000,
  noUserModeKernel,
);

labTest(
  'a link whose user-mode kernel lost the signal of its timer takes no processor again soon',
  async () => {
    const { network, kernel } = await openWithKernel('alarmed');
    await using _ = network;
    for (let lost = 1; lost <= 2; lost += 1) {
      await run(['perl', LOSE_ALARM, `${kernel}`]);
      // It is rung once a second; until then it keeps asking for its timer.
      await setTimeout(1_500);
      const before = network.router.cpuMs()!;
      await setTimeout(1_000);
      expect(network.router.cpuMs()! - before).toBeLessThan(300);
    }
  },
  60_000,
  noUserModeKernel,
);

labTest(
  'a link gives way while it starts, and comes before all other programs once it is there',
  async () => {
    const { network, kernel } = await openWithKernel('hurried');
    await using _ = network;
    expect(readFileSync(`/proc/${kernel}/autogroup`, 'utf8')).toMatch(/ nice 10$/m);
    const priorities = prioritiesOf(kernel);
    expect(priorities.length).toBeGreaterThan(1); // The kernel has processes that look like it.
    expect(priorities).toEqual(priorities.map(() => ({ policy: 1, priority: 10 })));
  },
  60_000,
  noLab ?? (userModeKernel && canGiveWay() ? undefined : 'there is no user-mode kernel, or it cannot give way'),
);

labTest(
  'a lab that could not be built leaves nothing of it behind',
  async () => {
    const before = remains();
    const image = { kernel: '/bin/false', modules: '/nonexistent' };
    const options = { lab: 'broken', topology: 'dumbbell', tuning: DEFAULT_TUNING, driver: 'uml' } as const;
    await expect(openNetwork({ ...options, userModeKernel: image })).rejects.toThrow(/ended \(1\)/);
    expect(remains()).toEqual(before);
    const strange = { ...DEFAULT_TUNING, congestionControl: 'no-such' };
    await expect(openNetwork({ ...options, tuning: strange, driver: 'kernel' })).rejects.toThrow(/congestion/);
    expect(remains()).toEqual(before);
  },
  60_000,
);

/** Namespaces, scratch files and processes that are there now. */
function remains() {
  return {
    namespaces: readdirSync('/run/netns').sort(),
    scratch: readdirSync(SCRATCH).sort(),
    kernels: userModeKernels(),
  };
}

/** The scheduling policy (1: SCHED_FIFO) and the real-time priority of each process of a group. */
function prioritiesOf(group: number): readonly { readonly policy: number; readonly priority: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
          .map(Number);
        return fields[2] === group ? [{ priority: fields[37]!, policy: fields[38]! }] : [];
      } catch {
        return []; // It has ended since the folder was read.
      }
    });
}

/** The user-mode kernels that this process has started; each has children of its own that look alike. */
function userModeKernels(): number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('rootfstype=hostfs'));
}
