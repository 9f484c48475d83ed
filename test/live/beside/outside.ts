import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { openNamespace } from '../../../harness/network/namespace.ts';
import { type Certificate, makeCertificate } from '../../../harness/server/certificate.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { killGroup, run, start } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';

/*
 * A world outside of any lab: a network of its own that this machine has a cable to, and a web server in it which knows
 * nothing of Photofinish. Its addresses are for examples in documents (RFC 5737), so that nothing else has them.
 *
 *   this machine  203.0.113.1 ── 203.0.113.2 shop.example     HTTP/1.1, HTTP/2, HTTP/3
 *                                203.0.113.3 pictures.example HTTP/1.1, HTTP/2
 *                                203.0.113.4 mute.example     tells of HTTP/3, and does not speak it
 */

export const OUTSIDE = {
  machine: '203.0.113.1',
  shop: '203.0.113.2',
  pictures: '203.0.113.3',
  mute: '203.0.113.4',
} as const;

/** What is given away at each name. */
export const PICTURE_BYTES = 60_000;

export interface Outside extends AsyncDisposable {
  readonly namespace: string;
  /** This machine's end of the cable. */
  readonly device: string;
  readonly certificate: Certificate;
}

const DEVICE = 'pf-outside';

/** Puts the world up, with no delay between it and this machine. */
export async function openOutside(): Promise<Outside> {
  await using undo = new AsyncDisposableStack();
  const namespace = 'outside';
  undo.use(await openNamespace(namespace));
  await run(['ip', 'link', 'add', 'name', DEVICE, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace]);
  undo.defer(async () => void (await run(['ip', 'link', 'del', DEVICE])));
  await run(['ip', 'addr', 'add', `${OUTSIDE.machine}/24`, 'dev', DEVICE]);
  await run(['ip', 'link', 'set', DEVICE, 'up']);
  // The test's own interface: its setting concerns nothing else.
  writeFileSync(`/proc/sys/net/ipv4/conf/${DEVICE}/forwarding`, '1');
  const inside = (...args: string[]) => run(['ip', '-n', namespace, ...args]);
  for (const address of [OUTSIDE.shop, OUTSIDE.pictures, OUTSIDE.mute])
    await inside('addr', 'add', `${address}/24`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) await inside('link', 'set', device, 'up');

  const folder = `${SCRATCH}/outside`;
  mkdirSync(`${folder}/www`, { recursive: true });
  undo.defer(async () => void (await run(['rm', '-rf', folder])));
  const certificate = await makeCertificate(folder, ['shop.example', 'pictures.example', 'mute.example']);
  writeFileSync(`${folder}/www/index.html`, renderPage());
  for (const [name, text] of Object.entries(BESIDE)) writeFileSync(`${folder}/www/${name}`, text);
  writeFileSync(`${folder}/www/picture.svg`, renderPicture());
  writeFileSync(`${folder}/nginx.conf`, renderConfiguration(folder, certificate));
  const [log, pid] = [`${folder}/error.log`, `${folder}/nginx.pid`];
  const argv = [...readTools().nginx.argv, '-p', folder, '-e', log, '-c', `${folder}/nginx.conf`] as const;
  const nginx = start(argv as unknown as readonly [string], { namespace });
  undo.defer(async () => {
    killGroup(nginx.pid);
    await nginx.ended;
  });
  const untilMs = performance.now() + 10_000;
  while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') {
    if (nginx.child.exitCode !== null || performance.now() > untilMs)
      throw new Error(`nginx did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const kept = undo.move();
  return { namespace, device: DEVICE, certificate, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * A page with a picture of its own, one of which each load has another address, one from elsewhere, and two, one after
 * the other, from where HTTP/3 is told of in vain.
 */
function renderPage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"></head>
<body><h1>Shop</h1>
<img src="/picture.svg" alt=""><img src="https://pictures.example/picture.svg" alt="">
<img src="https://mute.example/picture.svg" alt="" onload="again.src = this.src + '?again'"><img id="again" alt="">
<script>const image = new Image(); image.src = '/picture.svg?' + Math.random(); document.body.append(image);</script>
</body></html>
`;
}

/** A page whose frame, of another site, and worker load something each, and which opens a socket to its own server. */
const BESIDE = {
  'framed.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Framed</title><link rel="icon" href="data:,"></head>
<body><iframe src="https://pictures.example/frame.html"></iframe>
<script>new Worker('/worker.js'); new WebSocket('wss://shop.example/socket');</script></body></html>
`,
  'frame.html': '<!doctype html><html lang="en"><title>Frame</title><img src="/picture.svg?frame" alt=""></html>\n',
  'worker.js': "fetch('/picture.svg?worker');\n",
} as const;

function renderPicture(): string {
  const svg = (padding: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${padding}--></svg>`;
  return svg('x'.repeat(PICTURE_BYTES - svg('').length));
}

function renderConfiguration(folder: string, { certificate, key }: Certificate): string {
  const server = (name: string, address: string, lines: readonly string[]) => `
  server {
    listen ${address}:443 ssl;
    server_name ${name};
    ${lines.join('\n    ')}
  }`;
  const told = `add_header Alt-Svc 'h3=":443"; ma=86400';`;
  return `daemon off;
user root root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log info;
events { }
http {
  types { text/html html; text/javascript js; image/svg+xml svg; }
  access_log off;
  root ${folder}/www;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ssl_certificate ${certificate};
  ssl_certificate_key ${key};
  http2 on;
${server('shop.example', OUTSIDE.shop, [`listen ${OUTSIDE.shop}:443 quic reuseport;`, told])}
${server('pictures.example', OUTSIDE.pictures, [])}
${server('mute.example', OUTSIDE.mute, [told])}
}
`;
}
