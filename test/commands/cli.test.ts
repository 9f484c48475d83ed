import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { renderCommands, renderHelp } from '../../harness/commands/help.ts';
import { BEFORE_SETUP, WELCOME } from '../../harness/setup/welcome.mjs';
import { start } from '../../harness/system/process.ts';

const CLI = fileURLToPath(new URL('../../harness/cli.ts', import.meta.url));

const photofinish = (...args: string[]) => say(process.execPath, '--disable-warning=ExperimentalWarning', CLI, ...args);

async function say(...argv: readonly [string, ...string[]]) {
  const program = start(argv);
  const chunks = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    program[name].on('data', (chunk: Buffer) => {
      chunks[name] += chunk.toString();
    });
  return { code: await program.ended, ...chunks };
}

const NODES = [process.execPath, ...['/usr/bin/node'].filter((node) => existsSync(node))];

test.each(NODES)('%s starts the same by the name that npx knows', async (node) => {
  const launcher = fileURLToPath(new URL('../../harness/setup/photofinish.mjs', import.meta.url));
  expect(await say(node, launcher, 'list', 'links')).toEqual(await photofinish('list', 'links'));
  expect(await say(node, launcher, 'measure', '--exactly', '0')).toEqual(
    await photofinish('measure', '--exactly', '0'),
  );
});

test.each([
  [['measure', '--link', 'rate=5'], /--link: rate: "5" .*no unit.*Expected: 100kbit to 1gbit/],
  [['measure', '--link', 'rate=10mbit,rtt=1ms,rtt=2ms'], /--link: rtt: given twice/],
  [['calibrate', '--link', 'trace=/no/such/file'], /--link: trace: .*ENOENT/],
  [['measure', '--site', 'nowhere'], /--site: "nowhere" is not a known site\. .* See: npx photofinish list sites/],
  [['measure', '--study', 'tody'], /--study: "tody" is not a known study\. Did you mean "today"\?/],
  [['measure', '--study', './no.yaml'], /--study: ".\/no.yaml" cannot be read: ENOENT/],
  [['measure', '--study', 'first-light', '--quick'], /--quick: study "first-light" has no quick form/],
  [['measure', '--mix', '3g=1'], /--mix: none of its links is in the study. Expected: fibre, satellite-leo, cable/],
  [['list', 'things'], /list: "things" is not a known section\. Expected: studies, sites, links, servers or mixes/],
  [['measure', '--arms', 'h2,h4'], /--arms: "h4" is not a known protocol. Expected: h1, h2, h3 or h1c/],
  [['measure', '--arms', 'h2,h2'], /--arms: "h2" is named twice/],
  [['measure', '--exactly', '0'], /--exactly: "0" .*Expected: 1 to 100000/],
  [['measure', '--out', ''], /--out: "" names no folder. Expected: a folder/],
  [
    ['measure', '--out', '/proc/study'],
    /--out: "\/proc\/study" cannot be used, .*not below \/run, \/dev\/shm or \/proc/,
  ],
  [['report', CLI], /no study in .*cli.ts: there is no/],
  [['measure', '--seed', '-1'], /measure: .*seed/],
  [['measure', '--live', '99999'], /--live: "99999" is no port. Expected: a port from 1 to 65535/],
  [['measure', '--live', '--exactly', '0'], /--exactly: "0"/],
  [['report', '/no/such/folder', '--serve'], /no study in \/no\/such\/folder/],
  [['report', '--serve', '123456', '/no/such/folder'], /--serve: "123456" is no port/],
  [['measure', '--until', 'tomorrow'], /--until: "tomorrow" is not a known way to stop\. Expected: settled or proven/],
  [
    ['measure', '--until', 'proven', '--exactly', '3'],
    /--exactly: cannot be combined with --until. Expected: one of them/,
  ],
  [['measure', '--served', 'h4'], /--served: "h4" is not a known arm. Expected: h1, h2 or h3/],
  [['measure', '--unknown'], /measure: "--unknown" is not a known option\. See: npx photofinish measure --help/],
  [['bench', 'nothing'], /bench: "nothing" is not a known bench\. Expected: link/],
  [['gate'], /gate: DIR is missing\. Usage: photofinish gate DIR \[OPTIONS\]/],
  [['gate', '/no/where'], /gate: there is no limit to check\. Expected: --max-regret/],
  [['gate', '/no/where', '--max-regret', '5'], /--max-regret: "5" .*Expected: 0% to 1000%, with the sign/],
  [['gate', '/no/where', '--max-plt', 'h3=5'], /no study in \/no\/where/],
  [
    ['record', 'https://a.test/'],
    /record: "https:\/\/a.test\/" needs a name\. Example: npx photofinish record http:\/\/localhost:3000\/ mine/,
  ],
  [['record', 'package.json', '--verify'], /record: "package.json" needs a name\./],
  [['record', 'nobodys-page', '--verify'], /record: "nobodys-page" is not a known recording\. .*list sites/],
  [
    ['record', 'a.test', 'nobodys-page'],
    /record: "a.test" is neither an address nor a file\. Did you mean "https:\/\/a.test\/"\?/,
  ],
  [['record', 'https://[::1]/', 'nobodys-page'], /record: "https:.*" is no address that a lab can serve/],
  [['record', 'https://a.test/', '../mine'], /record: "..\/mine" is no name. Expected: a-z, 0-9/],
  [['record', 'https://a.test/', 'shop'], /record: a site that comes with Photofinish is called "shop"/],
  [
    ['record', 'https://a.test/', 'nobodys-page', '--device', 'watch'],
    /--device: "watch" is not a known device\. Expected: desktop or mobile/,
  ],
  [['record', 'https://a.test/', 'nobodys-page', '--wait', 'long'], /--wait: "long" .*0 to 600/],
  [['record', 'https://a.test/', 'nobodys-page', '--script', 'no.mjs'], /--script: no file "no.mjs"/],
  [
    ['record', 'https://a.test/', 'nobodys-page', '--resolve', 'a.test:443:b.test'],
    /--resolve: .* Expected: HOST:PORT:ADDRESS/,
  ],
  [['record', 'package.json', 'nobodys-page'], /package.json is no HAR: it has no log with entries/],
  [['record', 'package.json', 'nobodys-page', '--insecure'], /--insecure: can only be used when a page is opened/],
  [['frobnicate'], /"frobnicate" is not a known command\. See: npx photofinish --help/],
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

test('ends quietly where nobody reads what it says', async () => {
  await using program = start([process.execPath, '--disable-warning=ExperimentalWarning', CLI, 'list']);
  let stderr = '';
  program.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  program.stdout.destroy();
  expect([await program.ended, stderr]).toEqual([4, '']);
});

test('help and version are said at once', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await photofinish('--version')).toEqual({ code: 0, stdout: `photofinish ${version}\n`, stderr: '' });
  expect(await photofinish()).toEqual({
    code: 0,
    stdout: `${WELCOME}\n\nCommands, each with --help:\n${renderCommands()}\n`,
    stderr: '',
  });
  expect(await photofinish('gate', '-h')).toEqual({ code: 0, stdout: `${renderHelp('gate')}\n`, stderr: '' });
});

test('a machine that has nothing is told the way to a first answer, and nothing is installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-'));
  try {
    cpSync(fileURLToPath(new URL('../../harness/setup', import.meta.url)), join(folder, 'harness/setup'), {
      recursive: true,
    });
    cpSync(fileURLToPath(new URL('../../package.json', import.meta.url)), join(folder, 'package.json'));
    const launcher = join(folder, 'harness/setup/photofinish.mjs');
    for (const words of [[], ['--help'], ['-h']])
      expect(await say(process.execPath, launcher, ...words)).toEqual({
        code: 0,
        stdout: `${WELCOME}\n${BEFORE_SETUP}\n`,
        stderr: '',
      });
    expect(await say(process.execPath, launcher, '--version')).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(['harness', 'package.json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [
    "Object.assign(new Error('ENOSPC: no room'), { code: 'ENOSPC', path: '/x' })",
    3,
    /^photofinish: ENOSPC: no room\n$/,
  ],
  ["new Error('a mistake')", 70, /^Error: a mistake\n {4}at /],
])('what nobody awaits ends it as any other error does: %s', async (error, code, says) => {
  const whenReady = `const t = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(t);
    throw ${error};
  }, 5);`;
  const preloaded = `--import=data:text/javascript,${encodeURIComponent(whenReady)}`;
  const said = await say(process.execPath, '--disable-warning=ExperimentalWarning', preloaded, CLI, 'list', 'links');
  expect(said).toMatchObject({ code, stderr: expect.stringMatching(says) });
});

test('list shows all there is, or one section of it', async () => {
  const { code, stdout } = await photofinish('list');
  expect(code).toBe(0);
  expect(stdout.match(/^\w+ \(--\w+\):$/gm)).toEqual([
    ...['Studies (--study):', 'Sites (--site):', 'Links (--link):', 'Servers (--server):', 'Mixes (--mix):'],
  ]);
  expect(stdout).toMatch(/^today +20 × 3 +up to 20 +\d+ to \d+ min +5 min +\d+ to \d+ min +four pages/m);
  const { stdout: links } = await photofinish('list', 'links');
  expect(links).toMatch(/^Links \(--link\):\nname +in words +what it is/);
  expect(links).toMatch(/^satellite-leo +low-orbit satellite +down=50mbit/m);
  expect(links).not.toMatch(/Sites/);
});

test('list has the mixes with the pages that their numbers come from', async () => {
  const { stdout: mixes } = await photofinish('list', 'mixes');
  expect(mixes).toMatch(/^mobile +5g=18, 4g=70, 3g=12 +visitors from all over the world/m);
  expect(mixes).toMatch(/^mobile: of 7.4 billion .*; from:\n {2}8.3 billion .*\n {4}\(.*; 2023-09-05; https:/m);
}, 20_000);
