import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import express, { type Express, type Request, type Response } from 'express';
import { UsageError } from '../model/errors.ts';
import { HOLD_PATH, THINK_PATH, THOUGHT_PATH, UPLOAD_PATH } from '../model/site.ts';

/*
 * What stands behind the server under test where files alone will not do, on an address that only that server reaches.
 */

export interface BackendOptions {
  /** Where bodies are written while they come; made here. */
  readonly folder: string;
  /** A longer body is refused with 413. */
  readonly maxBytes: number;
  /** The file that says for how many milliseconds pages are held back; none are where it is absent. */
  readonly holdFile?: string | undefined;
}

/** What the backend answers once an upload is whole. */
export interface UploadReceipt {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Takes files by POST: each body goes to the disk as it comes, is counted and digested on the way, and is deleted once
 * it has been answered or broken off. And thinks: answers a request after the time that its server says, or that pages
 * are held back, by naming the file which that server then sends itself.
 */
export function createBackend({ folder, maxBytes, holdFile }: BackendOptions): Express {
  mkdirSync(folder, { recursive: true });
  const backend = express();
  backend.disable('x-powered-by');
  backend.post(UPLOAD_PATH, async (request, response) => {
    const path = join(folder, `upload-${randomUUID()}`);
    try {
      const announcedBytes = Number(request.headers['content-length'] ?? 0);
      const receipt = announcedBytes > maxBytes ? undefined : await receive(request, path, maxBytes);
      if (receipt) response.json(receipt);
      else
        response
          .status(413)
          .set('connection', 'close')
          .json({ error: `more than ${maxBytes} bytes` });
      request.resume(); // What is left of a body that is too long is read and let go, so that the answer gets through.
    } catch (error) {
      if (!request.readableAborted) throw error; // A client that broke off awaits no answer.
    } finally {
      await rm(path, { force: true });
    }
  });
  const answerAfter = (ms: number, request: Request, response: Response) =>
    setTimeout(() => response.set('x-accel-redirect', `${THOUGHT_PATH}${request.url}`).end(), ms);
  const thinkMsOf = (request: Request) => Number(request.get('x-think-ms') ?? 0);
  backend.use(THINK_PATH, (request, response) => {
    answerAfter(thinkMsOf(request), request, response);
  });
  backend.use(HOLD_PATH, (request, response) => {
    const holdMs = holdFile === undefined ? 0 : Number(readFileSync(holdFile, 'utf8'));
    answerAfter(thinkMsOf(request) + holdMs, request, response);
  });
  return backend;
}

/** Writes a body to a new file; resolves with nothing where it is too long. */
async function receive(body: Readable, path: string, maxBytes: number): Promise<UploadReceipt | undefined> {
  await using file = await open(path, 'wx');
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    digest.update(chunk);
    await file.appendFile(chunk);
  }
  return { bytes, sha256: digest.digest('hex') };
}

const DEFAULT_MAX_BYTES = 100_000_000;
/** nginx's own keep-alive time, so that no connection is closed that nginx still keeps. */
const KEEP_ALIVE_MS = 900_000;

/** `--port PORT --folder DIR [--host ADDRESS] [--max-bytes N] [--hold-file FILE]`: listens, prints `ready`, and ends on SIGTERM. */
function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      folder: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'hold-file': { type: 'string' },
      'max-bytes': { type: 'string', default: String(DEFAULT_MAX_BYTES) },
    },
  });
  const [port, maxBytes] = [Number(values.port), Number(values['max-bytes'])];
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('--port: a number from 1 to 65535');
  if (!Number.isInteger(maxBytes) || maxBytes < 1) throw new UsageError('--max-bytes: a number of bytes from 1 up');
  if (values.folder === undefined) throw new UsageError('--folder: where bodies are written');
  const server = createBackend({ folder: values.folder, maxBytes, holdFile: values['hold-file'] }).listen(
    port,
    values.host,
    (error) => {
      if (error) throw error;
      console.log('ready');
    },
  );
  server.requestTimeout = 0; // Over a slow link an upload may take as long as it takes.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
}

if (import.meta.main) main(process.argv.slice(2));
