import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { run } from '../../harness/system/process.ts';

const BOOT = fileURLToPath(new URL('../../harness/network/boot-kernel.pl', import.meta.url));
const [PTRACE, PTRACE_GETREGSET, NT_PRSTATUS, NT_X86_XSTATE] = [101, 0x4204, 1, 0x202];
const [EIO, ESRCH] = [5, 3];

/** What the program that it boots, and what that starts, is told when it asks for a process's registers. */
async function errorsOf(registers: number): Promise<readonly number[]> {
  const ask = `syscall(${PTRACE}, ${PTRACE_GETREGSET}, $$, ${registers}, 0); print $! + 0, "\\n";`;
  const said = await run(['perl', BOOT, 'perl', '-e', `$| = 1; ${ask} if (!fork) { ${ask} exit } wait`]);
  return said.trim().split('\n').map(Number);
}

const where = process.arch === 'x64' ? it : it.skip;

where('refuses to tell extended registers, as to what the program starts, and nothing else', async () => {
  expect(await errorsOf(NT_X86_XSTATE)).toEqual([EIO, EIO]);
  expect(await errorsOf(NT_PRSTATUS)).toEqual([ESRCH, ESRCH]);
});

it('hands its arguments on as they are, and the exit code back', async () => {
  expect(await run(['perl', BOOT, 'perl', '-e', 'print join "|", @ARGV', 'a b', '', '$c'])).toBe('a b||$c');
  await expect(run(['perl', BOOT, 'perl', '-e', 'exit 7'])).rejects.toThrow('7');
  await expect(run(['perl', BOOT, '/no/such/kernel'])).rejects.toThrow('/no/such/kernel: No such file');
});
