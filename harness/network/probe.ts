/*
 * A calibration's end: started in a host's namespace, does what it is told on standard input, a JSON object a line, and
 * answers each with a line when it is done. It measures nothing itself; the captures at both ends do.
 */
import { createSocket } from 'node:dgram';
import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { PROBE_PORT, type ProbePhase } from '../model/calibration.ts';
import { MARK_BYTES, readMark, writeMark } from './probe-mark.ts';

/** Sends a number of datagrams, evenly at a rate; the other end sends the echoes back. */
export interface SendDatagrams {
  readonly kind: 'datagrams';
  readonly to: string;
  readonly phase: ProbePhase;
  readonly count: number;
  readonly payloadBytes: number;
  readonly perSecond: number;
  /** How many go at once, before the even ones. */
  readonly burst: number;
  /** How many may go at once when the sender was held up; the rest is late. */
  readonly catchUp: number;
}

/** Sends over TCP, as fast as it takes it, for a time. */
export interface SendStream {
  readonly kind: 'stream';
  readonly to: string;
  readonly streams: number;
  readonly forMs: number;
}

export type ProbeTask = SendDatagrams | SendStream;

const SOCKET_BUFFER_BYTES = 4_194_304;

async function main(): Promise<void> {
  let asking = false; // The end that asks must not send the answers back once more.
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: SOCKET_BUFFER_BYTES,
    sendBufferSize: SOCKET_BUFFER_BYTES,
  });
  socket.on('message', (datagram, from) => {
    if (!asking && readMark(datagram)?.phase === 'echo') socket.send(datagram, from.port, from.address);
  });
  const server = createServer((stream) => stream.on('error', () => {}).resume());
  await new Promise<void>((resolve) => socket.bind(PROBE_PORT, resolve));
  await new Promise<void>((resolve) => server.listen(PROBE_PORT, resolve));
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const task = JSON.parse(line) as ProbeTask;
    asking = task.kind === 'datagrams' && task.phase === 'echo';
    if (task.kind === 'datagrams') await sendDatagrams(socket, task);
    else await sendStreams(task);
    process.stdout.write('done\n');
  }
  process.exit(0);
}

async function sendDatagrams(socket: ReturnType<typeof createSocket>, task: SendDatagrams): Promise<void> {
  const spacingMs = 1000 / task.perSecond;
  let nextMs = performance.now();
  for (let sequence = 0; sequence < task.count; ) {
    const nowMs = performance.now();
    nextMs = Math.max(nextMs, nowMs - task.catchUp * spacingMs);
    for (; sequence < task.count && (sequence < task.burst || nextMs <= nowMs); sequence += 1) {
      const datagram = Buffer.alloc(Math.max(MARK_BYTES, task.payloadBytes));
      writeMark(datagram, { phase: task.phase, sequence });
      socket.send(datagram, PROBE_PORT, task.to);
      if (sequence >= task.burst) nextMs += spacingMs;
    }
    await rest(spacingMs);
  }
}

const NOTHING = new Int32Array(new SharedArrayBuffer(4));
const SHORT_REST_MS = 0.1;

/**
 * Lets time pass until a packet may be due. A timer is a millisecond long: where that is several packets it would send
 * them in trains, and to spin instead is to be held up for 50 ms in every second, as all is that runs at real-time
 * priority without a pause (sched(7), sched_rt_runtime_us).
 */
async function rest(spacingMs: number): Promise<void> {
  if (spacingMs >= 2) return new Promise((resolve) => setTimeout(resolve, 1));
  Atomics.wait(NOTHING, 0, 0, SHORT_REST_MS);
  return new Promise((resolve) => setImmediate(resolve));
}

async function sendStreams(task: SendStream): Promise<void> {
  const block = Buffer.alloc(65_536, 0x61);
  const ends: Socket[] = [];
  const untilMs = performance.now() + task.forMs;
  for (let index = 0; index < task.streams; index += 1) {
    const stream = connect(PROBE_PORT, task.to).on('error', () => {});
    // Where a link takes all that is written at once, this never waits, and the timer below would not be heard.
    const fill = () => {
      while (stream.writable && performance.now() < untilMs && stream.write(block));
    };
    stream.on('connect', fill).on('drain', fill);
    ends.push(stream);
  }
  await new Promise((resolve) => setTimeout(resolve, task.forMs));
  for (const stream of ends) stream.resetAndDestroy();
}

if (import.meta.main) await main();
