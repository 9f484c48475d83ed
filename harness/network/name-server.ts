import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { recordName } from '../model/arm.ts';
import { EnvironmentError } from '../model/errors.ts';
import type { Host } from '../model/lab.ts';
import { type Argv, findProgram, type RunningProcess, start } from '../system/process.ts';
import { isStopped } from '../system/silence.ts';

/** What a name server is asked for on behalf of a client, and answers. */
export interface NameServerOptions {
  /** The client's host: it is asked from there, and cannot be asked from elsewhere. */
  readonly host: Host;
  /** A folder of its own, for what it writes. */
  readonly folder: string;
  /** Every name below this one leads to `address`, but for those of `elsewhere`. */
  readonly domain: string;
  /** Where names below the domain lead. */
  readonly address: string;
  readonly elsewhere: readonly { readonly host: string; readonly address: string }[];
  /** The origins for which HTTPS records announce H3. */
  readonly published: readonly { readonly host: string; readonly port: number }[];
  /** From a question to its answer: how far away it is. */
  readonly distanceMs: number;
}

/** A name server for one client. */
export interface NameServer extends AsyncDisposable {
  /** What a program of the client's must find at /etc/resolv.conf. */
  readonly resolver: string;
  /** The configuration that the name server was started with. */
  readonly configuration: string;
  /** What it was asked for since this was last asked, as in `A www.example`. */
  takeQuestions(): readonly string[];
  /** What has ended of it or stands still, if anything; it answers no more. */
  findFault(): string | undefined;
}

/** Where the client finds it, and where dnsmasq is, behind the program that holds its answers back. */
const ADDRESS = '127.0.0.1';
const [PORT, PORT_BEHIND] = [53, 5353];
const HOLD_ANSWERS = fileURLToPath(new URL('./hold-answers.pl', import.meta.url));
/** An hour: a browser that was here lately still knows a name. */
const TTL_SECONDS = 3_600;

/** Debian's dnsmasq, which answers at once, behind a program that holds its answers back: no look-up passes the link. */
export async function openNameServer(options: NameServerOptions): Promise<NameServer> {
  const { host, folder, domain, address, elsewhere, published, distanceMs } = options;
  const program = findProgram('dnsmasq');
  if (program === undefined)
    throw new EnvironmentError(
      'names are looked up for offers, and dnsmasq is missing: run npm run setup, or apt-get install dnsmasq-base',
    );
  mkdirSync(folder, { recursive: true });
  await using undo = new AsyncDisposableStack();
  const argv: Argv = [
    program,
    ...['--keep-in-foreground', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', '--pid-file='],
    // It would switch to another user, which an ordinary user's lab does not have.
    ...['--user=root', '--group=root', '--log-facility=-'],
    ...[`--listen-address=${ADDRESS}`, `--port=${PORT_BEHIND}`, '--bind-interfaces', `--local-ttl=${TTL_SECONDS}`],
    ...[`--local=/${domain}/`, `--address=/${domain}/${address}`],
    ...elsewhere.map(({ host, address }) => `--address=/${host}/${address}`),
    ...published.map(({ host, port }) => `--dns-rr=${recordName(host, port)},${HTTPS},${renderRecord(host)}`),
  ];
  const { namespace } = host;
  const server = undo.use(start(argv, { namespace }));
  const holding = undo.use(
    start(['perl', HOLD_ANSWERS, ADDRESS, `${PORT}`, `${PORT_BEHIND}`, `${distanceMs}`], { namespace }),
  );
  let [said, errors] = ['', ''];
  const ready = new Promise<void>((resolve) => {
    holding.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      resolve();
    });
  });
  const started = new Promise<void>((resolve) => {
    server.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
      if (errors.includes('started')) resolve();
    });
  });
  const ended = await Promise.race([Promise.all([ready, started]), server.ended, holding.ended]);
  if (!Array.isArray(ended)) throw new Error(`the name server did not start (${ended}): ${errors.trim()}`);
  const resolver = `${folder}/resolv.conf`;
  writeFileSync(resolver, `nameserver ${ADDRESS}\noptions timeout:2 attempts:3\n`);
  const kept = undo.move();
  const configuration = [`# ${distanceMs} ms away`, ...argv].join('\n');
  return {
    resolver,
    configuration,
    takeQuestions() {
      const lines = said.split('\n');
      said = lines.pop() ?? '';
      return lines.filter((line) => line !== 'ready');
    },
    findFault: () => faultOf(server) ?? faultOf(holding),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function faultOf({ pid, child: { exitCode, signalCode } }: RunningProcess): string | undefined {
  if (exitCode !== null || signalCode !== null) return `the name server ended (${signalCode ?? exitCode})`;
  return isStopped(pid) ? 'the name server was stopped' : undefined;
}

/** The type of an HTTPS record (RFC 9460). */
const HTTPS = 65;

/**
 * The content of a record, as hexadecimal digits: priority 1, the host as target, `alpn=h3,h2`. A dot for the target would
 * mean the record's own name, which is the host's only at the scheme's port.
 */
export function renderRecord(host: string): string {
  const words = (each: readonly string[]) =>
    Buffer.concat(each.map((word) => Buffer.from([word.length, ...Buffer.from(word)])));
  const alpn = words(['h3', 'h2']);
  return Buffer.concat([shorts(1), words([...host.split('.'), '']), shorts(ALPN, alpn.length), alpn]).toString('hex');
}

/** The key of the parameter that tells of protocols (RFC 9460, 14.3.2). */
const ALPN = 1;

function shorts(...numbers: readonly number[]): Buffer {
  return Buffer.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));
}
