import { expect, test } from '@jest/globals';
import { start } from '../../harness/system/process.ts';

const CLI = new URL('../../harness/cli.ts', import.meta.url).pathname;

async function photofinish(...args: string[]) {
  const program = start([process.execPath, '--disable-warning=ExperimentalWarning', CLI, ...args]);
  const chunks = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    program[name].on('data', (chunk: Buffer) => {
      chunks[name] += chunk.toString();
    });
  return { code: await program.ended, ...chunks };
}

test.each([
  [['measure', '--link', 'rate=5'], /--link: rate: '5' .*no unit.*allowed: 100kbit to 1gbit/],
  [['measure', '--link', 'rate=10mbit,rtt=1ms,rtt=2ms'], /--link: rtt: given twice/],
  [['calibrate', '--link', 'trace=/no/such/file'], /--link: trace: .*ENOENT/],
  [['measure', '--site', 'nowhere'], /--site: no site 'nowhere'; allowed: many-small/],
  [
    ['measure', '--study', 'tody'],
    /--study: no study 'tody', perhaps 'today'; allowed: today, today-full, first-light/,
  ],
  [['measure', '--study', './no.yaml'], /--study: '.\/no.yaml' cannot be read: ENOENT/],
  [['measure', '--study', 'first-light', '--quick'], /--quick: study 'first-light' has no quick form/],
  [['measure', '--mix', '3g=1'], /--mix: none of its links is in the study; allowed: fibre, satellite-leo, cable/],
  [['list', 'things'], /list: nothing called 'things'; allowed: studies, sites, links, servers, mixes/],
  [['measure', '--arms', 'h2,h4'], /--arms: no protocol 'h4'; allowed: h1, h2, h3, h1c/],
  [['measure', '--arms', 'h2,h2'], /--arms: 'h2' is named twice/],
  [['measure', '--exactly', '0'], /--exactly: '0' .*allowed: 1 to 100000/],
  [['measure', '--seed', '-1'], /measure: .*seed/],
  [['measure', '--unknown'], /measure: Unknown option '--unknown'; usage: measure/],
  [['bench', 'nothing'], /bench: nothing called 'nothing'; there is link/],
  [['gate'], /gate: usage: gate DIR \[--serve ARM\]/],
  [['gate', '/no/where'], /gate: nothing to check; allowed: --max-regret/],
  [['gate', '/no/where', '--max-regret', '5'], /--max-regret: '5' .*allowed: 0% to 1000%, with the sign/],
  [['gate', '/no/where', '--max-plt', 'h3=5'], /no study in \/no\/where/],
  [['frobnicate'], /no command 'frobnicate'; there are measure, report, export, gate, calibrate/],
])('photofinish %j says in one line what is wrong, and exits 2', async (args, message) => {
  const { code, stdout, stderr } = await photofinish(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('help names every command', async () => {
  const { code, stdout } = await photofinish('--help');
  expect(code).toBe(0);
  for (const command of ['measure', 'gate', 'calibrate', 'list', 'doctor', 'bench'])
    expect(stdout).toContain(`  ${command}`);
});

test('list shows all there is, or one section of it', async () => {
  const { code, stdout } = await photofinish('list');
  expect(code).toBe(0);
  expect(stdout.match(/^\w+ \(--\w+\):$/gm)).toEqual([
    ...['Studies (--study):', 'Sites (--site):', 'Links (--link):', 'Servers (--server):', 'Mixes (--mix):'],
  ]);
  expect(stdout).toMatch(/^today +20 × 3 +up to 20 +5 min +yes +four pages/m);
  const { stdout: links } = await photofinish('list', 'links');
  expect(links).toMatch(/^Links \(--link\):\nname +what it is/);
  expect(links).not.toMatch(/Sites/);
});

test('list has the mixes with the pages that their numbers come from', async () => {
  const { stdout: mixes } = await photofinish('list', 'mixes');
  expect(mixes).toMatch(/^mobile +5g=18, 4g=70, 3g=12 +visitors from all over the world/m);
  expect(mixes).toMatch(/^mobile: of 7.4 billion .*; from:\n {2}8.3 billion .*\n {4}\(.*; 2023-09-05; https:/m);
});
