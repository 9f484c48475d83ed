import { LabError } from '../model/errors.ts';
import { programEnvironment, start } from '../system/process.ts';
import { within } from '../system/within.ts';

/** An nft that stays open in a namespace and answers by JSON. To start one for each question takes ten times as long. */
export interface NftConsole extends AsyncDisposable {
  /** A process in the namespace once it has answered, by which that's own statistics are read. */
  readonly pid: number;
  /** Carries out commands, and resolves with what the last one, which must list something, says. */
  ask(...commands: readonly [string, ...string[]]): Promise<string>;
}

const TIMEOUT_MS = 30_000;
/** Some builds of nft write a prompt, and repeat the command, before they answer. */
const ANSWER = /^[^\n{]*(\{"nftables": .*\})$/m;

/** Opens an nft in a namespace. */
export function openNftConsole(namespace: string): NftConsole {
  // It would leave the commands in a file of its user's.
  const program = start(['nft', '-j', '-i'], { namespace, env: { ...programEnvironment(), HOME: '/nonexistent' } });
  let said = '';
  let errors = '';
  let hear = () => {};
  program.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
    hear();
  });
  program.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
    hear();
  });
  const ended = program.ended.then((end) => {
    throw new LabError(`nft ended with ${end}: ${errors.trim()}`);
  });
  ended.catch(() => {}); // The next question gets the error.
  const answer = (commands: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      said = '';
      errors = '';
      hear = () => {
        const found = said.endsWith('\n') ? ANSWER.exec(said)?.[1] : undefined;
        if (/^Error/m.test(errors)) reject(new Error(`nft refuses '${commands.join('; ')}': ${errors.trim()}`));
        else if (found !== undefined) resolve(found);
      };
      program.stdin.write(`${commands.join('\n')}\n`);
    });
  let last: Promise<unknown> = Promise.resolve();
  return {
    pid: program.pid,
    ask(...commands) {
      const late = () => {
        // What it said later would be taken for the next answer.
        program.child.kill('SIGKILL');
        throw new LabError(`nft did not answer '${commands.join('; ')}' within ${TIMEOUT_MS / 1000} s`);
      };
      const next = last.catch(() => {}).then(() => within(TIMEOUT_MS, Promise.race([answer(commands), ended]), late));
      last = next;
      return next;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
