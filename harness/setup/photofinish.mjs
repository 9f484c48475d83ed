#!/usr/bin/env node
/**
 * `npx photofinish …`: goes on in `../cli.ts` with the Node that setup brings, after setup where there was none yet.
 *
 * Like everything in this folder, it keeps to what Node 18 can parse.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EXIT } from './failure.mjs';
import { BEFORE_SETUP, WELCOME } from './welcome.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const node = at('../../node_modules/.bin/node');

const [first] = process.argv.slice(2);
const isReady = existsSync(node) && existsSync(at('../../.lab/tools.json'));

if (!isReady && (first === undefined || ['help', '--help', '-h'].includes(first))) {
  process.stdout.write(`${WELCOME}\n${BEFORE_SETUP}\n`);
  process.exit(0);
}
if (!isReady && first === '--version') {
  const { version } = JSON.parse(readFileSync(at('../../package.json'), 'utf8'));
  process.stdout.write(`photofinish ${version}\n`);
  process.exit(0);
}

if (!isReady) {
  // What the program says may be for another program to read.
  const { status } = spawnSync(process.execPath, [at('../setup.mjs')], { stdio: ['inherit', 2, 2] });
  if (status !== 0) process.exit(status ?? EXIT.machine);
}

const argv = [node, '--disable-warning=ExperimentalWarning', at('../cli.ts'), ...process.argv.slice(2)];
if (process.execve) {
  process.removeAllListeners('warning'); // That this is an experiment of Node's.
  process.execve(node, argv);
} else {
  const program = spawn(node, argv.slice(1), { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => program.kill(signal));
  program.once('exit', (code) => {
    process.exitCode = code ?? EXIT.stopped;
  });
}
