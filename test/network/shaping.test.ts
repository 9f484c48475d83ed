import { expect, test } from '@jest/globals';
import type { Rate } from '../../harness/model/link.ts';
import { renderShaping, scheduleTrace } from '../../harness/network/shaping.ts';
import { linkOf } from '../links.ts';

const at = { node: 'lab1-cable', device: 'server1' };
const rendered = (spec: string) =>
  renderShaping(at, linkOf(spec, '1\n2\n3\n200\n').up)
    .map((argv) => argv.join(' ').replace('tc -n lab1-cable qdisc ', '').replace(' dev server1', ''))
    .slice(1);

test('the first command clears what was there', () => {
  expect(renderShaping(at, linkOf('4g').up)[0]).toEqual(
    'tc -n lab1-cable qdisc replace dev server1 root handle 9: pfifo limit 1000000'.split(' '),
  );
});

test.each([
  ['rate=unlimited', []],
  [
    'rate=2mbit,rtt=218ms',
    [
      'replace root handle 1: netem limit 1000000 delay 109000us',
      'add parent 1:1 handle 2: netem limit 37 rate 2000kbit',
    ],
  ],
  [
    'rate=10mbit',
    ['replace root handle 1: netem limit 1000000', 'add parent 1:1 handle 2: netem limit 11 rate 10000kbit'],
  ],
  ['rtt=20ms,loss=0.148%', ['replace root handle 1: netem limit 1000000 delay 10000us loss 0.148%']],
  [
    'rtt=20ms,jitter=2ms',
    ['replace root handle 1: netem limit 1000000 delay 10000us 2000us distribution normal rate 10gbit'],
  ],
  [
    'rtt=20ms,jitter=2ms,distribution=uniform',
    ['replace root handle 1: netem limit 1000000 delay 10000us 2000us rate 10gbit'],
  ],
  ['burst=2%:5', ['replace root handle 1: netem limit 1000000 loss gemodel 0.408163% 20%']],
  [
    'rtt=20ms,reorder=1%,duplicate=0.5%',
    ['replace root handle 1: netem limit 1000000 delay 10000us duplicate 0.5% reorder 1%'],
  ],
  [
    'rate=1mbit,duplicate=1%',
    [
      'replace root handle 1: netem limit 1000000 duplicate 1%',
      'add parent 1:1 handle 2: htb default 1',
      'tc -n lab1-cable class add parent 2: classid 2:1 htb rate 1000kbit burst 500 cburst 500 quantum 1514',
      'add parent 2:1 handle 3: pfifo limit 10',
    ],
  ],
  [
    'rate=1mbit,queue=50',
    ['replace root handle 1: netem limit 1000000', 'add parent 1:1 handle 2: netem limit 51 rate 1000kbit'],
  ],
  [
    'trace=t,rtt=20ms,queue=20',
    [
      'replace root handle 1: netem limit 1000000 delay 10000us',
      'add parent 1:1 handle 2: htb default 1',
      'tc -n lab1-cable class add parent 2: classid 2:1 htb rate 240kbit burst 300 cburst 300 quantum 1514',
      'add parent 2:1 handle 3: plug limit 30280',
      'change parent 2:1 handle 3: plug release_indefinite',
    ],
  ],
])('%s', (spec, commands) => {
  expect(rendered(spec)).toEqual(commands);
});

test('a trace is followed in steps of 50 ms; where it delivers nothing the queue is plugged', () => {
  const { rate } = linkOf('trace=t', '1\n20\n50\n51\n200\n').up;
  const schedule = scheduleTrace(at, (rate as Extract<Rate, { kind: 'trace' }>).trace);
  expect(schedule).toMatchObject({ ...at, periodMs: 200, bucketMs: 10 });
  expect(schedule.steps).toEqual([
    { atMs: 0, kbps: 727 },
    { atMs: 50, kbps: 242 },
    { atMs: 100, kbps: 0 },
    { atMs: 150, kbps: 242 },
  ]);
});
