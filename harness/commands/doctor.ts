import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { EnvironmentError } from '../model/errors.ts';
import { kernelHasNetem, noNetem } from '../network/router.ts';
import { mayUseTaps, type UserModeKernel } from '../network/user-mode-router.ts';
import { renderTable } from '../report/table.ts';
import { measureCapacitiesEnclosed } from '../run/capacity.ts';
import { asEnclosed, type EnclosureKind, findEnclosure, mayRunRealtime, type Within } from '../system/enclosure.ts';
import { succeeds, systemPath } from '../system/process.ts';
import { readTools, type Tools } from '../system/tools.ts';

interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'weak' | 'missing';
  readonly says: string;
}

/** The UDP buffer that a QUIC stack may ask for at 1 Gbit/s. */
const UDP_BUFFER_BYTES = 7_500_000;

/** `photofinish doctor`: what this machine can do and what it lacks; 3 where a lab cannot be built. */
export async function doctor(print: (line: string) => void): Promise<number> {
  const findings = await examine();
  const mark = { ok: 'ok', weak: 'weak', missing: 'MISSING' } as const;
  print(
    renderTable<Finding>(
      [
        { title: 'what', text: (finding) => finding.what },
        { title: 'state', text: (finding) => mark[finding.state] },
        { title: '', text: (finding) => finding.says },
      ],
      findings,
    ),
  );
  return findings.some((finding) => finding.state === 'missing') ? 3 : 0;
}

async function examine(): Promise<Finding[]> {
  const host = `Linux ${release()}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`;
  const findings: Finding[] = [{ what: 'host', state: 'ok', says: host }];
  let tools: Tools;
  try {
    tools = readTools();
  } catch (error) {
    return [...findings, missing('setup', error)];
  }
  const { chromium, shell, nginx } = tools;
  return [
    ...findings,
    installed('browser', chromium.path, `Chromium ${chromium.version} (${chromium.path})`),
    shell
      ? installed('shell', shell.path, `its headless shell, in which most loads are made (${shell.path})`)
      : { what: 'shell', state: 'ok', says: 'none: pages load in Chromium itself, which takes more of the processor' },
    installed('server', nginx.argv[0], `nginx ${nginx.version} with OpenSSL ${nginx.openssl} (${nginx.source})`),
    ...(await examineLab(tools)),
    congestionControls(),
    udpBuffers(),
  ];
}

/** Tries the parts of a lab as a lab would: in namespaces, and as the user that would open it there. */
async function examineLab({ uml }: Tools): Promise<Finding[]> {
  process.env.PATH = systemPath();
  let kind: EnclosureKind;
  try {
    kind = await findEnclosure();
  } catch (error) {
    return [missing('namespaces', error)];
  }
  const by = { root: 'as root', user: 'without root, in a user namespace', sudo: 'by sudo' }[kind];
  const within: Within = (argv) => asEnclosed(kind, argv);
  const namespaces: Finding = { what: 'namespaces', state: 'ok', says: `made ${by}` };
  if (await kernelHasNetem(within)) return [namespaces, { what: 'link', state: 'ok', says: "this kernel's netem" }];
  if (!uml) return [namespaces, missing('link', noNetem())];
  return [namespaces, await userModeKernel(uml, within), await taps(within), await realtime(within), await rates(kind)];
}

function installed(what: string, path: string, says: string): Finding {
  return existsSync(path)
    ? { what, state: 'ok', says }
    : { what, state: 'missing', says: `${path} is gone: npm run setup` };
}

function missing(what: string, error: unknown): Finding {
  if (!(error instanceof EnvironmentError)) throw error;
  return { what, state: 'missing', says: error.message };
}

async function userModeKernel({ kernel, modules }: UserModeKernel, within: Within): Promise<Finding> {
  const what = 'link';
  const runs = (await succeeds(within([kernel, '--version']))) && existsSync(modules);
  if (runs)
    return {
      what,
      state: 'ok',
      says: `this kernel has no netem; a user-mode kernel shapes the links (${kernel}, ${modules})`,
    };
  return {
    what,
    state: 'missing',
    says: `this kernel has no netem, and ${kernel} with ${modules} is gone: npm run setup`,
  };
}

async function taps(within: Within): Promise<Finding> {
  const what = 'taps';
  if (await mayUseTaps(within)) return { what, state: 'ok', says: 'between the namespaces and the user-mode kernel' };
  const says = '/dev/net/tun cannot be used; raw sockets are used, which drop bursts of over 90 packets';
  return { what, state: 'weak', says };
}

async function realtime(within: Within): Promise<Finding> {
  const what = 'real time';
  if (await mayRunRealtime(within)) return { what, state: 'ok', says: 'the link has the highest priority' };
  const says = 'load on this machine slows the link down, which calibration will notice: run as root';
  return { what, state: 'weak', says };
}

/** What TCP gets through the link, measured; a study that asks for more is told so before it begins. */
async function rates(kind: EnclosureKind): Promise<Finding> {
  const what = 'rates';
  try {
    const capacities = await measureCapacitiesEnclosed(kind);
    const shown = capacities.map(({ rttMs, kbps }) => `${Math.round(kbps / 1000)} Mbit/s over ${rttMs} ms`);
    return { what, state: 'ok', says: `the link carries up to ${shown.join(', ')}` };
  } catch (error) {
    return { what, state: 'weak', says: `what the link carries could not be measured: ${(error as Error).message}` };
  }
}

function congestionControls(): Finding {
  const available = readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').trim();
  const says = `${available} (set for each route of a lab, so the machine's own choice does not matter)`;
  return { what: 'TCP', state: available.includes('cubic') ? 'ok' : 'missing', says };
}

function udpBuffers(): Finding {
  const what = 'UDP buffers';
  let bytes: number;
  try {
    const limits = ['rmem_max', 'wmem_max'].map((name) => Number(readFileSync(`/proc/sys/net/core/${name}`, 'utf8')));
    bytes = Math.min(...limits);
  } catch {
    return { what, state: 'weak', says: 'their limit cannot be read here' };
  }
  if (bytes >= UDP_BUFFER_BYTES) return { what, state: 'ok', says: `up to ${bytes} bytes` };
  const says = `at most ${bytes} bytes, ${UDP_BUFFER_BYTES} are wanted: npm run setup as root raises it`;
  return { what, state: 'weak', says };
}
