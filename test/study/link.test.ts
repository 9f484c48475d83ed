import { describe, expect, test } from '@jest/globals';
import { UsageError } from '../../harness/model/errors.ts';
import { meanRateKbps, rttMs } from '../../harness/model/link.ts';
import { parseLink } from '../../harness/study/link.ts';
import { NAMED_LINKS } from '../../harness/study/named-links.ts';

const files: Record<string, string> = {
  'good.trace': '1\n1\n50\n100\n',
  'garbage.trace': '1\nhello\n',
  'falling.trace': '5\n4\n',
  'empty.trace': '\n',
  'zero.trace': '0\n0\n',
  'one.trace': '1\n',
  'short.trace': '1\n2\n99\n',
  'long.trace': '1\n3600001\n',
  'slow.trace': '5000\n10000\n',
  'fast.trace': `${Array.from({ length: 100 }, (_, ms) => `${ms + 1}\n`.repeat(84)).join('')}`,
  'peak.trace': `${'10\n'.repeat(4_200)}1000\n`,
  'outage.trace': `${'1\n'.repeat(1_000)}60002\n`,
};
const sources = {
  readText: (path: string) => {
    if (path in files) return files[path]!;
    throw new Error(`ENOENT: no such file or directory, open "${path}"`);
  },
};
const link = (text: string) => parseLink(text, sources);

describe('a specification', () => {
  test('sets both directions; the RTT is split evenly; a queue is one bandwidth-delay product', () => {
    const { down, up } = link('rate=2mbit,rtt=218ms,loss=2%');
    expect(down).toEqual(up);
    expect(down).toEqual({
      rate: { kind: 'constant', kbps: 2000 },
      delayMs: 109,
      jitterMs: 0,
      jitterDistribution: 'normal',
      loss: { kind: 'random', percent: 2 },
      reorderPercent: 0,
      duplicatePercent: 0,
      queuePackets: 36,
    });
  });

  test.each([
    ['down=50mbit,up=10mbit,rtt=10ms', 50_000, 10_000],
    ['rate=50mbit,up=10mbit', 50_000, 10_000],
    ['up=10mbit,rate=50mbit', 50_000, 10_000],
    ['down.rate=1gbit,up.rate=100kbit', 1_000_000, 100],
    ['4g', 9_000, 9_000],
    ['4g,rate=1mbit', 1_000, 1_000],
    ['fibre,rate=1mbit', 1_000, 1_000],
    ['trace=good.trace', (4 * 1500 * 8) / 100, (4 * 1500 * 8) / 100],
    ['down.trace=good.trace,up=1mbit', (4 * 1500 * 8) / 100, 1_000],
    ['rtt=40ms', undefined, undefined],
    ['rate=unlimited', undefined, undefined],
  ])('%s has these rates', (text, down, up) => {
    expect(meanRateKbps(link(text).down.rate)).toBe(down);
    expect(meanRateKbps(link(text).up.rate)).toBe(up);
  });

  test.each([
    ['rate=2mbit,rtt=18ms', 10],
    ['rate=2mbit,rtt=18ms,queue=1', 1],
    ['rate=50mbit,rtt=18ms', 75],
    ['rate=50mbit,rtt=18ms,queue=2bdp', 149],
    ['rate=50mbit,rtt=18ms,queue=200', 200],
    ['rate=50mbit,rtt=18ms,queue=bdp', 75],
  ])('%s has a queue of %i packets', (text, packets) => {
    expect(link(text).down.queuePackets).toBe(packets);
  });

  test('says loss in bursts by mean share and mean length', () => {
    expect(link('burst=1%:5').up.loss).toEqual({ kind: 'burst', percent: 1, meanBurstPackets: 5 });
    expect(link('loss=1%,up.loss=0%').up.loss).toEqual({ kind: 'none' });
    expect(link('loss=1%,up.loss=0%').down.loss).toEqual({ kind: 'random', percent: 1 });
  });

  test('one direction can be delayed more than the other', () => {
    const uneven = link('rtt=40ms,up.delay=50ms');
    expect([uneven.down.delayMs, uneven.up.delayMs, rttMs(uneven)]).toEqual([20, 50, 70]);
  });
});

describe('every named link', () => {
  test.each(Object.keys(NAMED_LINKS))('%s is valid and says where its numbers come from', (name) => {
    expect(link(name).source?.length).toBeGreaterThan(20);
    expect(link(name).down.queuePackets).toBeGreaterThanOrEqual(10);
  });
});

test.each([
  ['rate=10mbyte,rtt=1ms', /--link: rate: "10mbyte" .*unknown unit "mbyte".*Expected: 100kbit to 1gbit/],
  ['rate=-1mbit', /--link: rate: .*negative.*Expected/],
  ['rate=0mbit', /--link: rate: .*zero.*Expected/],
  ['rate=0', /--link: rate: .*zero.*Expected/],
  ['rate=5', /--link: rate: .*no unit/],
  ['rate=99kbit', /--link: rate: .*too small/],
  ['rate=2gbit', /--link: rate: .*too large.*1gbit/],
  ['rate=fast', /--link: rate: .*no number/],
  ['loss=101%', /--link: loss: .*too large.*0% to 100%/],
  ['loss=-1%', /--link: loss: .*negative/],
  ['loss=2ms', /--link: loss: .*unknown unit "ms"/],
  ['rtt=10ms,jitter=6ms', /--link: jitter of 6 ms is above the delay of 5 ms. Expected/],
  ['jitter=1ms', /--link: jitter of 1 ms is above the delay of 0 ms/],
  ['queue=0', /--link: queue: .*zero.*1 to 100000 packets/],
  ['queue=1.5', /--link: queue: .*out of range/],
  ['queue=-2', /--link: queue: .*out of range/],
  ['queue=0bdp', /--link: queue: .*out of range/],
  ['rtt=10ms,rtt=20ms', /--link: rtt: given twice \(rtt=10ms, then rtt=20ms\)/],
  ['rtt=10ms,delay=20ms', /--link: delay: given twice/],
  ['down=1mbit,down.rate=2mbit', /--link: down.rate: given twice/],
  ['loss=1%,burst=1%:3', /--link: burst: given twice/],
  ['nowhere', /--link: "nowhere" is not a known link.* See: npx photofinish list links/],
  ['toString', /--link: "toString" is not a known link.* See: npx photofinish list links/],
  ['4g,constructor=1', /--link: unknown key "constructor"/],
  ['speed=10mbit', /--link: unknown key "speed". Expected: rate, trace/],
  ['up.rtt=10ms', /--link: unknown key "up.rtt"/],
  ['rate', /--link: "rate" is not a known link.* See: npx photofinish list links/],
  ['4g,rate', /--link: "rate" is not valid. Expected: key=value/],
  ['', /--link: "" is not a known link.* See: npx photofinish list links/],
  ['trace=missing.trace', /--link: trace: "missing.trace" .*cannot be read: ENOENT/],
  ['trace=garbage.trace', /--link: trace: "garbage.trace" .*line 2 is no whole number.*Expected: a packet/],
  ['down.trace=falling.trace', /--link: down.trace: "falling.trace" .*line 2: 4 comes after 5.*Expected: a packet/],
  ['trace=empty.trace', /--link: trace: "empty.trace" .*empty.*Expected: a packet/],
  ['trace=zero.trace', /--link: trace: .*its length, is 0 ms.*100 ms to 1 hour/],
  ['trace=one.trace', /--link: trace: .*its length, is 1 ms: repeat it.*100 ms to 1 hour/],
  ['trace=short.trace', /--link: trace: .*its length, is 99 ms: repeat it.*100 ms to 1 hour/],
  ['trace=long.trace', /--link: trace: .*its length, is 3600001 ms.*100 ms to 1 hour/],
  ['trace=slow.trace', /--link: trace: .*2.4 kbit\/s on average.*100kbit to 1gbit/],
  ['trace=fast.trace', /--link: trace: .*1010000 kbit\/s on average.*100kbit to 1gbit/],
  ['trace=peak.trace', /--link: trace: .*1010000 kbit\/s for 50 ms.*100kbit to 1gbit/],
  ['trace=outage.trace', /--link: trace: .*nothing for 60001 ms.*no outage above 60 s/],
  ['burst=1%', /--link: burst: .*two values/],
  ['burst=1%:0', /--link: burst: .*length out of range/],
  ['burst=100%:5', /--link: burst: .*nothing would arrive/],
  ['burst=90%:2', /--link: burst: .*longer bursts/],
  ['distribution=gauss,rtt=1ms', /--link: distribution: .*uniform, normal/],
  ['reorder=5%', /--link: reorder needs a delay/],
])('%s is refused in one line', (text, message) => {
  expect(() => link(text)).toThrow(UsageError);
  expect(() => link(text)).toThrow(message);
  expect(() => link(text)).not.toThrow(/\n/);
});

describe('datagrams', () => {
  test('are dropped where a link says so, and it is another link then', () => {
    expect(link('4g').udp).toBeUndefined();
    expect(link('4g,udp=drop')).toMatchObject({ name: '4g,udp=drop', udp: 'drop', down: link('4g').down });
    const { name, ...rest } = link('rate=2mbit,udp=drop,rtt=40ms');
    expect([name, rest.udp]).toEqual(['rate=2mbit,rtt=40ms,loss=0%,udp=drop', 'drop']);
    expect(link(name)).toEqual({ name, ...rest });
  });

  test.each([
    [
      '4g,udp=allow',
      '--link: "udp=allow" is not valid. Expected: drop, as in udp=drop: H3 cannot be spoken over the link',
    ],
    ['4g,udp=drop,udp=drop', '--link: udp is given twice'],
  ])('%s', (text, says) => {
    expect(() => link(text)).toThrow(says);
  });
});
