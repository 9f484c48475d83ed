import { accessSync, constants, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { EnvironmentError } from '../model/errors.ts';
import { renderTable } from '../report/table.ts';
import { findEnclosure, mayRunRealtime } from '../system/enclosure.ts';
import { readTools, type Tools } from '../system/tools.ts';

interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'weak' | 'missing';
  readonly says: string;
}

/** So much UDP buffer a QUIC stack may ask for at 1 Gbit/s. */
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
  const findings: Finding[] = [
    {
      what: 'host',
      state: 'ok',
      says: `Linux ${release()}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    },
  ];
  let tools: Tools;
  try {
    tools = readTools();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return [...findings, { what: 'setup', state: 'missing', says: error.message }];
  }
  const { chromium, nginx } = tools;
  findings.push(
    { what: 'browser', state: 'ok', says: `Chromium ${chromium.version} (${chromium.path})` },
    { what: 'server', state: 'ok', says: `nginx ${nginx.version} with OpenSSL ${nginx.openssl} (${nginx.source})` },
    await enclosure(),
    link(tools),
    taps(tools),
    await realtime(tools),
    congestionControls(),
    udpBuffers(tools),
  );
  return findings;
}

async function enclosure(): Promise<Finding> {
  try {
    const kind = await findEnclosure();
    const by = { root: 'as root', user: 'without root, in a user namespace', sudo: 'by sudo' }[kind];
    return { what: 'namespaces', state: 'ok', says: `made ${by}` };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return { what: 'namespaces', state: 'missing', says: error.message };
  }
}

function link({ netem, uml }: Tools): Finding {
  if (netem === 'kernel') return { what: 'link', state: 'ok', says: "this kernel's netem" };
  if (uml) return { what: 'link', state: 'ok', says: `this kernel has no netem: a user-mode kernel's (${uml.kernel})` };
  return { what: 'link', state: 'missing', says: 'no netem: apt-get install user-mode-linux kmod (x86-64 only)' };
}

function taps({ netem }: Tools): Finding {
  if (netem === 'kernel') return { what: 'taps', state: 'ok', says: 'not needed' };
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
    return { what: 'taps', state: 'ok', says: 'between the namespaces and the user-mode kernel' };
  } catch {
    const says = 'no access to /dev/net/tun: raw sockets instead, which drop bursts of over 90 packets';
    return { what: 'taps', state: 'weak', says };
  }
}

async function realtime({ netem }: Tools): Promise<Finding> {
  if (netem === 'kernel') return { what: 'real time', state: 'ok', says: 'not needed' };
  if (await mayRunRealtime()) return { what: 'real time', state: 'ok', says: 'the link runs before all else' };
  const says = 'load on this machine slows the link down, which calibration will notice: run as root';
  return { what: 'real time', state: 'weak', says };
}

function congestionControls(): Finding {
  const available = readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').trim();
  const says = `${available} (set for each route of a lab, so the machine's own choice does not matter)`;
  return { what: 'TCP', state: available.includes('cubic') ? 'ok' : 'missing', says };
}

function udpBuffers({ udpBufferBytes }: Tools): Finding {
  if (udpBufferBytes === null) return { what: 'UDP buffers', state: 'weak', says: 'their limit cannot be read here' };
  if (udpBufferBytes >= UDP_BUFFER_BYTES)
    return { what: 'UDP buffers', state: 'ok', says: `up to ${udpBufferBytes} bytes` };
  const says = `at most ${udpBufferBytes} bytes, ${UDP_BUFFER_BYTES} are wanted: npm run setup as root raises it`;
  return { what: 'UDP buffers', state: 'weak', says };
}
