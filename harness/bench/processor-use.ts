import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Seconds of a core, by kind of process in this enclosure, and on the machine as a whole. */
export interface ProcessorUse {
  readonly machineSeconds: number;
  readonly byProcess: ReadonlyMap<string, number>;
}

/** How often processes are looked at; what one does after the last look before its end is seen in the whole alone. */
const LOOK_MS = 200;
/** A kernel's tick. */
const TICK_SECONDS = 0.01;

/** Begins to watch which processes take the processor; the function returned ends that and says which did. */
export function watchProcessors(): () => ProcessorUse {
  const began = machineSeconds();
  const first = readProcesses();
  const seen = new Map(first);
  const look = () => {
    for (const [key, process] of readProcesses()) seen.set(key, process);
  };
  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    look();
    const byProcess = new Map<string, number>();
    for (const [key, { kind, seconds }] of seen) {
      const own = seconds - (first.get(key)?.seconds ?? 0);
      byProcess.set(kind, (byProcess.get(kind) ?? 0) + own);
    }
    return { machineSeconds: machineSeconds() - began, byProcess };
  };
}

/** The busy time of all cores since this machine was started. */
export function machineSeconds(): number {
  const ticks = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))![1]!.split(' ').map(Number);
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = ticks;
  return TICK_SECONDS * (user + nice + system + interrupts + softInterrupts);
}

interface SeenProcess {
  readonly kind: string;
  readonly seconds: number;
}

/** The processes by number and start, since numbers are used again. */
function readProcesses(): ReadonlyMap<string, SeenProcess> {
  const processes = new Map<string, SeenProcess>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The program's name, in parentheses, may hold blanks: fields count from behind it.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const seconds = TICK_SECONDS * (Number(fields[11]) + Number(fields[12]));
      processes.set(`${pid} ${fields[19]}`, { kind: kindOf(command), seconds });
    } catch {
      // It has ended meanwhile.
    }
  }
  return processes;
}

/** What a process is, by its command line. */
export function kindOf(command: string): string {
  const [program = '', ...args] = command.split('\0');
  const name = basename(program.split(' ')[0]!).replace(/:$/, '') || 'kernel';
  if (!name.startsWith('chromium')) return name;
  const type = /--type=([\w-]+)/.exec(command)?.[1];
  const utility = /--utility-sub-type=([\w.]+)/.exec(command)?.[1]?.split('.')[0];
  return args.length === 0 && type === undefined ? 'chromium' : `chromium ${utility ?? type ?? 'browser'}`;
}
