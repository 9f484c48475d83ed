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
  [['list', 'things'], /list: nothing called 'things'; allowed: studies, sites, links, servers/],
  [['measure', '--arms', 'h2,h4'], /--arms: no protocol 'h4'; allowed: h1, h2, h3, h1c/],
  [['measure', '--arms', 'h2,h2'], /--arms: 'h2' is named twice/],
  [['measure', '--exactly', '0'], /--exactly: '0' .*allowed: 1 to 100000/],
  [['measure', '--seed', '-1'], /measure: .*seed/],
  [['measure', '--live', '99999'], /--live: '99999' will not do; allowed: a port from 1 to 65535/],
  [['measure', '--live', '--exactly', '0'], /--exactly: '0'/],
  [['report', '/no/such/folder', '--serve'], /no study in \/no\/such\/folder/],
  [['report', '--serve', '123456', '/no/such/folder'], /--serve: '123456' will not do/],
  [['measure', '--unknown'], /measure: Unknown option '--unknown'; usage: measure/],
  [['bench', 'nothing'], /bench: nothing called 'nothing'; there is link/],
  [['frobnicate'], /no command 'frobnicate'; there are measure, report, export, calibrate/],
])(
  'photofinish %j says in one line what is wrong, and exits 2',
  async (args, message) => {
    const { code, stdout, stderr } = await photofinish(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  },
  20_000,
);

test('help names every command', async () => {
  const { code, stdout } = await photofinish('--help');
  expect(code).toBe(0);
  for (const command of ['measure', 'calibrate', 'list', 'doctor', 'bench']) expect(stdout).toContain(`  ${command}`);
});

test('list shows all there is, or one section of it', async () => {
  const { code, stdout } = await photofinish('list');
  expect(code).toBe(0);
  expect(stdout.match(/^\w+ \(--\w+\):$/gm)).toEqual([
    ...['Studies (--study):', 'Sites (--site):', 'Links (--link):', 'Servers (--server):'],
  ]);
  expect(stdout).toMatch(/^today +20 × 3 +up to 20 +5 min +yes +four pages/m);
  const { stdout: links } = await photofinish('list', 'links');
  expect(links).toMatch(/^Links \(--link\):\nname +what it is/);
  expect(links).not.toMatch(/Sites/);
}, 20_000);
