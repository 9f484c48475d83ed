import { expect, test } from '@jest/globals';
import {
  assertAnswersPass,
  parseDefaultRoute,
  parseRoute,
  renderInnerRules,
  renderOuterRules,
  uplinkEndsOf,
} from '../../harness/network/uplink.ts';

test.each<[number, string, string]>([
  [0, '198.18.0.1', '198.18.0.2'],
  [1, '198.18.0.5', '198.18.0.6'],
  [63, '198.18.0.253', '198.18.0.254'],
  [64, '198.18.1.1', '198.18.1.2'],
  [999, '198.18.15.157', '198.18.15.158'],
])('uplink %i has four addresses of its own', (number, outer, inner) => {
  expect(uplinkEndsOf(number)).toEqual({ outer, inner });
});

// Routes as iproute2 prints them.
const [ELSEWHERE, HERE] = [
  '[{"dst":"203.0.113.7","gateway":"192.0.2.1","dev":"eth0.100","prefsrc":"192.0.2.2","flags":[],"uid":0,"cache":[]}]',
  '[{"type":"local","dst":"192.0.2.2","dev":"lo","table":"local","prefsrc":"192.0.2.2","flags":[],"uid":0,"cache":["local"]}]',
];

test.each<[string, string, readonly string[], RegExp | undefined]>([
  ['elsewhere, where it is on', ELSEWHERE, ['eth0.100'], undefined],
  [
    'elsewhere, where only another is on',
    ELSEWHERE,
    ['eth0'],
    /does not forward what comes in at eth0\.100.*: sysctl -w net\.ipv4\.conf\.eth0\/100\.forwarding=1 \(/,
  ],
  ['on this machine, where none is on', HERE, [], undefined],
])('%s', (_, json, on, expected) => {
  const check = () => assertAnswersPass('203.0.113.7', parseRoute(json), (device) => on.includes(device));
  if (expected) expect(check).toThrow(expected);
  else expect(check).not.toThrow();
});

const ROUTES = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0
`;

test('the way to everywhere is the route with no destination', () => {
  expect(parseDefaultRoute(ROUTES)).toBe('eth0');
  expect(parseDefaultRoute(ROUTES.split('\n').slice(0, 2).join('\n'))).toBeUndefined();
});

const PASSAGE = {
  ends: uplinkEndsOf(1),
  places: [
    { address: '192.0.2.7', port: 443 },
    { address: '192.0.2.7', port: 80 },
    { address: '192.0.2.7', port: 443 },
  ],
};

test('each side lets through TCP and UDP to the places, and nothing else', () => {
  const places = '{ 192.0.2.7 . 443, 192.0.2.7 . 80 }';
  const inner = renderInnerRules('eth0', PASSAGE);
  expect(inner).toContain('type filter hook forward priority filter; policy drop;');
  expect(inner).toContain(`meta l4proto { tcp, udp } ip daddr . th dport ${places} accept`);
  const outer = renderOuterRules('photofinish1', PASSAGE);
  expect(outer).toContain(`iifname "photofinish1" ip daddr . th dport != ${places} drop`);
});

test('what this machine’s own table does is done to the uplink’s packets alone', () => {
  const rules = renderOuterRules('photofinish1', PASSAGE)
    .split('\n')
    .filter((line) => /\b(?:drop|accept|masquerade)\b/.test(line));
  expect(rules.length).toBeGreaterThan(3);
  for (const rule of rules) expect(rule).toMatch(/[io]ifname "photofinish1"|ip saddr 198\.18\.0\.6 /);
  expect(renderOuterRules('photofinish1', PASSAGE)).not.toMatch(/policy drop/);
});
