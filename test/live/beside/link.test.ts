import { describe, expect } from '@jest/globals';
import { judgeLink } from '../../../harness/calibration/calibration.ts';
import { linkFigures } from '../../../harness/calibration/link-figures.ts';
import type { LinkCheck } from '../../../harness/model/calibration.ts';
import { LabError } from '../../../harness/model/errors.ts';
import { measureLink, openProbe } from '../../../harness/network/calibration.ts';
import { openCapture } from '../../../harness/network/capture.ts';
import type { Network } from '../../../harness/network/network.ts';
import { calibrateLink, openLabNetwork } from '../../../harness/run/lab-network.ts';
import { run } from '../../../harness/system/process.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { labTestBeside } from '../lab.ts';
import { measure } from '../link-figures.ts';

/*
 * Measuring a link is waiting most of the time: with 0.45 cores for one, two at a time leave half of two cores free. A study
 * measures its links side by side, too.
 */

/** A test with a direct link of its own. */
function linkTest(name: string, body: (network: Network) => Promise<void>, timeoutMs: number): void {
  labTestBeside(
    name,
    async () => {
      await using network = await openLabNetwork();
      await body(network);
    },
    timeoutMs,
  );
}

describe('a direct link', () => {
  linkTest(
    'takes every command that is rendered, and a real netem reads them back as they were meant',
    async (network) => {
      const table: readonly (readonly [spec: string, expected: readonly RegExp[]])[] = [
        [
          'rate=2mbit,rtt=218ms',
          [/netem 2: parent 1:1 limit 37 rate 2Mbit/, /netem 1: root .*limit 1000000 delay 10[89](\.\d+)?ms/],
        ],
        ['rate=100kbit', [/rate 100Kbit/]],
        ['rate=1gbit,queue=100', [/limit 101 rate 1Gbit/]],
        ['rtt=20ms,loss=0.148%', [/loss 0\.148%/]],
        ['burst=2%:5,rtt=20ms', [/loss gemodel p 0\.408\d*% r 20%/]],
        ['rtt=20ms,jitter=2ms', [/delay \d\S* {2}2ms/, /rate 10Gbit/]],
        ['rtt=20ms,jitter=2ms,distribution=uniform', [/ {2}2ms/]],
        ['rtt=20ms,jitter=2ms,distribution=pareto', [/ {2}2ms/]],
        ['rtt=20ms,jitter=2ms,distribution=paretonormal', [/ {2}2ms/]],
        ['rtt=20ms,reorder=1%', [/reorder 1%/]],
        ['rtt=20ms,duplicate=0.5%', [/duplicate 0\.5%/]],
        ['train', [/htb 2: parent 1:1/, /class htb 2:1 root leaf 3: .*rate \d+Kbit/, /plug 3: parent 2:1/]],
        ['rate=50mbit,rtt=20ms,duplicate=1%', [/htb 2:1 .*rate 50Mbit/, /pfifo 3: .*limit 83p/]],
        ['rate=unlimited', [/pfifo 9: root/]],
      ];
      for (const [spec, expected] of table) {
        await network.setLink(linkOf(spec));
        const { down, up } = await network.linkState();
        for (const pattern of expected) {
          expect(`${spec} down: ${down}`).toMatch(pattern);
          expect(`${spec} up: ${up}`).toMatch(pattern);
        }
      }
    },
    60_000,
  );

  for (const spec of [
    'down=20mbit,up=5mbit,rtt=28ms,queue=2bdp',
    'rate=2mbit,rtt=218ms,loss=2%',
    'rate=50mbit,rtt=20ms,duplicate=1%',
    'rate=20mbit,rtt=10ms,burst=5%:5',
  ])
    labTestBeside(
      `${spec} is what it claims, on every figure that is judged`,
      async () => {
        // In a new lab where it stays false, as a study does.
        await inPeace(async () => {
          await using own = await openLabNetwork();
          const { checks } = await calibrateLink(own, linkOf(spec));
          expect(checks.filter((check) => !check.ok)).toEqual([]);
          expect(checks.filter((check) => check.within).length).toBeGreaterThanOrEqual(6);
        });
      },
      300_000,
    );

  linkTest(
    'loses in bursts of the length asked for',
    async (network) => {
      const asked = linkOf('rate=20mbit,rtt=10ms,burst=5%:5');
      await network.setLink(asked);
      await inPeace(async () => {
        const { directions } = await measure(network, asked, { echoes: 5, lossProbes: 8_000, streamMs: 300 });
        for (const { meanBurstPackets, lossPercent } of [directions.down, directions.up]) {
          expect(meanBurstPackets).toBeGreaterThan(3.5);
          expect(meanBurstPackets).toBeLessThan(6.5);
          expect(lossPercent).toBeGreaterThan(2.5);
          expect(lossPercent).toBeLessThan(7.5);
        }
      });
    },
    60_000,
  );

  linkTest(
    'jitters without reordering, and reorders and doubles where it is asked to',
    async (network) => {
      const measured = async (spec: string) => {
        const asked = linkOf(spec);
        await network.setLink(asked);
        return (await measure(network, asked, { echoes: 60, lossProbes: 2_000, streamMs: 300 })).directions.down;
      };
      await inPeace(async () => {
        const jittered = await measured('rate=50mbit,rtt=40ms,jitter=5ms');
        expect(jittered).toMatchObject({ reorderedPercent: 0, duplicatedPercent: 0, lost: 0 });
      });
      // Which packets are doubled is chance.
      await inPeace(async () => {
        const troubled = await measured('rate=50mbit,rtt=40ms,reorder=2%,duplicate=3%');
        expect(troubled.duplicatedPercent).toBeGreaterThan(1.5);
        expect(troubled.duplicatedPercent).toBeLessThan(4.5);
        // A packet that overtakes makes all that it passes late: those under way, which here are many.
        expect(troubled.reorderedPercent).toBeGreaterThan(1);
      });
    },
    60_000,
  );

  linkTest(
    'follows a trace: as much in a period as it delivers, and nothing while it delivers nothing',
    async (network) => {
      // A second: ten packets every 10 ms for 500 ms, then nothing for 300 ms, then four every 10 ms.
      const lines = Array.from({ length: 100 }, (_, step) => (step < 50 ? 10 : step < 80 ? 0 : 4)).flatMap(
        (packets, step) => Array<number>(packets).fill(10 * (step + 1)),
      );
      const asked = linkOf('trace=steps,rtt=20ms,queue=100', lines.join('\n'));
      await network.setLink(asked);
      await inPeace(async () => {
        await using capture = await openCapture(network.clients[0]!, 'trace');
        const figures = await measure(network, asked, { echoes: 10, lossProbes: 20, streamMs: 300 });
        const checks = judgeLink(asked, figures).filter((check) => /udp|stray/.test(check.figure));
        expect(checks).toHaveLength(4);
        for (const check of checks) expect(check).toMatchObject({ ok: true, within: expect.anything() });

        const frames = (await capture.finish()).filter(
          (frame) => frame.to === network.clients[0]!.address && frame.bytes === 1514,
        );
        const gapsMs = frames.slice(1).map((frame, index) => frame.timeMs - frames[index]!.timeMs);
        const outages = gapsMs.filter((ms) => ms > 200 && ms < 1000);
        expect(outages.length).toBeGreaterThanOrEqual(1);
        for (const ms of outages) expect(Math.abs(ms - 300)).toBeLessThan(60);
      });
    },
    60_000,
  );

  linkTest(
    'is held against its trace although the trace is longer than the watch, and against another one in vain',
    async (network) => {
      const [asked, swapped] = [linkOf('train'), linkOf('down.trace=train-up,up.trace=train-down,rtt=70ms')];
      await network.setLink(asked);
      const wrong = (checks: readonly LinkCheck[]) => checks.flatMap(({ ok, figure }) => (ok ? [] : [figure]));
      const seen = await inPeace(async () => {
        const measured = await measureLink(network, asked, { echoes: 10, lossProbes: 100, streamMs: 0 });
        const checks = judgeLink(asked, linkFigures(asked, measured));
        expect(wrong(checks)).toEqual([]);
        expect(checks.filter((check) => check.within).map((check) => check.figure)).toEqual(
          expect.arrayContaining(['down udp', 'down stray', 'up udp', 'up stray']),
        );
        return measured;
      });
      const claimed = judgeLink(swapped, linkFigures(swapped, seen));
      expect(wrong(claimed)).toEqual(expect.arrayContaining(['down stray', 'up stray']));
    },
    120_000,
  );

  linkTest(
    'is not waited for without end: a probe that does not answer in time has the lab renewed',
    async (network) => {
      const client = network.clients[0]!;
      await expect(openProbe(client, 1)).rejects.toThrow(LabError);
    },
    60_000,
  );

  linkTest(
    'keeps the RTT that is asked for where the jitter is skewed',
    async (network) => {
      const asked = linkOf('rate=50mbit,rtt=60ms,jitter=10ms,distribution=pareto');
      await network.setLink(asked);
      await inPeace(async () => {
        const figures = await measure(network, asked, { echoes: 200, lossProbes: 20, streamMs: 0 });
        expect(judgeLink(asked, figures).find((check) => check.figure === 'rtt')).toMatchObject({ ok: true });
        expect(figures.rttMs).toBeLessThan(59); // The median alone would say that the link is 4 ms short.
      });
    },
    60_000,
  );

  linkTest(
    'does not pass for what it is not: each wrong figure is named',
    async (network) => {
      const claimed = linkOf('rate=10mbit,rtt=40ms');
      const wrong = async (spec: string) => {
        await network.setLink(linkOf(spec));
        const figures = await measure(network, claimed, { echoes: 40, lossProbes: 1_000, streamMs: 800 });
        return judgeLink(claimed, figures).flatMap((check) => (check.ok ? [] : [check.figure]));
      };
      const slow = ['rtt', 'down udp', 'up udp', 'down tcp', 'up tcp'];
      await inPeace(async () => {
        expect(await wrong('rate=9.7mbit,rtt=42ms')).toEqual(expect.arrayContaining(slow));
      });
      await inPeace(async () => {
        const lossy = await wrong('rate=10mbit,rtt=40ms,loss=1%,queue=500');
        expect(lossy).toEqual(expect.arrayContaining(['down loss', 'up loss', 'down queue', 'up queue']));
      });
      await inPeace(async () => {
        const short = await wrong('rate=10mbit,rtt=40ms,down.queue=30');
        expect(short).toContain('down queue');
        expect(short).not.toContain('up queue');
      });
    },
    60_000,
  );

  linkTest(
    'runs TCP under the congestion control that it was told, whatever the machine’s own is',
    async (network) => {
      const [client, server] = [network.clients[0]!, network.servers[0]!];
      for (const congestionControl of ['reno', 'cubic']) {
        await network.tune(server, { congestionControl, initialWindowPackets: 10 });
        const route = await run(['ip', 'route', 'get', client.address], { namespace: server.namespace });
        expect(route).toContain(`congctl ${congestionControl}`);
        expect(route).toContain('initcwnd 10');
      }
      const sysctls = await run(['sysctl', '-n', 'net.ipv4.tcp_no_metrics_save', 'net.ipv4.tcp_rmem'], {
        namespace: server.namespace,
      });
      expect(sysctls.trim().split(/\s+/)).toEqual(['1', '4096', '131072', '33554432']);
      const features = await run(['ethtool', '-k', 'eth0'], { namespace: server.namespace });
      for (const feature of ['tcp-segmentation-offload', 'generic-segmentation-offload', 'generic-receive-offload'])
        expect(features).toMatch(new RegExp(`${feature}: off`));
    },
    30_000,
  );
});
