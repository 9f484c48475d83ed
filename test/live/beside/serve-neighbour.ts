/*
 * Serves, on port 80 of this host, a page on loopback that asks in every way for what a neighbour has, and the neighbour
 * at the address that is given; says when it does.
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

const [address] = process.argv.slice(2);
const neighbour = `http://${address}`;
const PAGE = `<!doctype html><link rel="icon" href="data:,"><img src="${neighbour}/picture.png">
<iframe src="${neighbour}/frame"></iframe>
<script>
  fetch('${neighbour}/refused').catch(() => {});
  fetch('${neighbour}/opaque', { mode: 'no-cors' });
  navigator.serviceWorker.register('/worker.js');
</script>`;
const WORKER = `addEventListener('install', (event) => event.waitUntil(fetch('${neighbour}/worked', { mode: 'no-cors' })));`;

async function serve(host: string, listener: RequestListener): Promise<void> {
  await once(createServer(listener).listen(80, host), 'listening');
}

await serve('127.0.0.1', ({ url }, response) => {
  if (url === '/worker.js') response.setHeader('content-type', 'text/javascript').end(WORKER);
  else response.setHeader('content-type', 'text/html').end(PAGE);
});
await serve(address!, (_, response) => response.end('what only neighbours may read'));
process.stdout.write('ready\n');
