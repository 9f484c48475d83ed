import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { answerStatic } from './answer.ts';
import type { ReadFolder } from './read-folder.ts';

/** A folder that is served on loopback, over HTTP/2. */
export interface ServedFolder extends AsyncDisposable {
  /** Host and port: `127.0.0.1:40123`. */
  readonly address: string;
}

/** Certificate and key, as texts. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

const COMPRESS = {
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: Buffer) => promisify(gzip)(text),
};

/** Serves a folder as a host of static sites does, at a free port that only this machine reaches. */
export async function serveFolder(folder: ReadFolder, credentials: Credentials): Promise<ServedFolder> {
  const server = createSecureServer({ ...credentials, allowHTTP1: true });
  const sockets = new Set<{ destroy(): void }>();
  server.on('secureConnection', (socket) => sockets.add(socket));
  server.on('request', (request, response) => {
    request.resume();
    respond(folder, request, response).catch(() => response.stream?.destroy() ?? response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(folder: ReadFolder, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const { method, url: target, headers: asked } = request;
  const { status, headers, file, compress, text } = answerStatic(folder, {
    method,
    target,
    acceptEncoding: String(asked['accept-encoding'] ?? ''),
    ifNoneMatch: asked['if-none-match'],
  });
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  if (file && !compress) {
    response.writeHead(status, { 'content-length': file.bytes });
    if (method === 'HEAD') response.end();
    else
      createReadStream(file.path)
        .on('error', () => response.destroy())
        .pipe(response);
    return;
  }
  const body = file && compress ? await COMPRESS[compress](await readFile(file.path)) : Buffer.from(text ?? '');
  response.writeHead(status, status === 304 ? {} : { 'content-length': body.length });
  response.end(method === 'HEAD' ? '' : body);
}
