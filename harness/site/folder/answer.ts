import type { FolderFile, ReadFolder } from './read-folder.ts';

/*
 * Answers as hosts of static sites do:
 *
 *     /blog/       blog/index.html
 *     /blog        leads to /blog/ where there is blog/index.html; else blog.html
 *     otherwise    404.html with status 404, or a line
 *
 * Text goes out compressed, as most of them do it: as its neighbour `.br` or `.gz` where the build made one, else by
 * Brotli at a level that is quick enough for answering. Names that hold a hash of what they name are kept for a year, all
 * else is asked for again each time, by its hash. Ranges are answered whole: the replay of the answer cuts them.
 */

/** What a request asks for, as far as an answer depends on it. */
export interface StaticRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly acceptEncoding?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** An answer, and what is sent with it. */
export interface StaticAnswer {
  readonly status: number;
  /** A header that is undefined is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Absent where it has no body of a file's. */
  readonly file?: FolderFile;
  /** How the file is compressed when it is sent; absent: it is not. */
  readonly compress?: 'br' | 'gzip' | undefined;
  readonly text?: string | undefined;
}

/** What a request is answered with; nothing but the folder's files can be. */
export function answerStatic({ files }: Pick<ReadFolder, 'files'>, request: StaticRequest): StaticAnswer {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: { ...PLAIN, allow: 'GET, HEAD' }, text: 'only GET and HEAD\n' };
  const url = URL.canParse(`https://site.test${request.target}`)
    ? new URL(`https://site.test${request.target}`)
    : undefined;
  const path = url && request.target.startsWith('/') ? decodePath(url.pathname) : undefined;
  if (url === undefined || path === undefined) return { status: 400, headers: PLAIN, text: 'no such address can be\n' };
  const own = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  if (files.has(own)) return answerWith(files, own, 200, request);
  if (own === path && files.has(`${path}/index.html`))
    return { status: 301, headers: { ...PLAIN, location: `${url.pathname}/${url.search}` }, text: 'moved\n' };
  if (own === path && files.has(`${path}.html`)) return answerWith(files, `${path}.html`, 200, request);
  if (files.has('404.html')) return answerWith(files, '404.html', 404, request);
  return { status: 404, headers: PLAIN, text: 'not found\n' };
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' } as const;

/** A path's parts without their escapes; undefined where a part would be none or several then. */
function decodePath(pathname: string): string | undefined {
  try {
    const parts = pathname.slice(1).split('/').map(decodeURIComponent);
    return parts.some((part) => /[/\0]/.test(part)) ? undefined : parts.join('/');
  } catch {
    return undefined;
  }
}

function answerWith(files: ReadFolder['files'], path: string, status: number, request: StaticRequest): StaticAnswer {
  const { type, isText } = typeOf(path);
  const whole = files.get(path)!;
  const chosen = isText ? choose(files, path, whole, request.acceptEncoding ?? '') : { file: whole };
  const coding = chosen.coding ?? chosen.compress;
  const etag = `"${whole.sha256.slice(0, 20)}${coding === undefined ? '' : `-${coding}`}"`;
  const headers = {
    'content-type': type,
    'cache-control':
      isNamedByHash(path) && status === 200
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=0, must-revalidate',
    etag: status === 200 ? etag : undefined,
    vary: isText ? 'Accept-Encoding' : undefined,
  };
  const known = (request.ifNoneMatch ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (status === 200 && known.includes(etag)) return { status: 304, headers };
  return {
    status,
    headers: { ...headers, 'content-encoding': coding },
    file: chosen.file,
    compress: chosen.compress,
  };
}

interface Chosen {
  readonly file: FolderFile;
  /** The coding that the file is in already. */
  readonly coding?: 'br' | 'gzip';
  readonly compress?: 'br' | 'gzip';
}

/** What is shorter fits in one packet anyway; what is longer is no page's text. */
const COMPRESSED_BYTES = { least: 1_000, most: 50_000_000 } as const;

function choose(files: ReadFolder['files'], path: string, whole: FolderFile, accepted: string): Chosen {
  const codings = accepted
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0+)?\s*$/.test(each))
    .map((each) => each.split(';')[0]!.trim());
  for (const [coding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    const neighbour = files.get(`${path}${ending}`);
    if (neighbour && codings.includes(coding)) return { file: neighbour, coding };
  }
  const coding = (['br', 'gzip'] as const).find((each) => codings.includes(each));
  const fits = whole.bytes >= COMPRESSED_BYTES.least && whole.bytes <= COMPRESSED_BYTES.most;
  return coding && fits ? { file: whole, compress: coding } : { file: whole };
}

/** Whether a name holds a hash: `main.8f2c3d1e.css`, `chunk-7GX2K4QZ.js`, `index-DiwrgTda.js`. */
function isNamedByHash(path: string): boolean {
  const parts = path.slice(path.lastIndexOf('/') + 1).split(/[.-]/);
  return parts.slice(0, -1).some((part, at) => HEX.test(part) || (at > 0 && HASH_LIKE.some((like) => like.test(part))));
}

const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}$/;
const HASH_LIKE = [/^(?=.*\d)[A-Z0-9]{8}$/, /^(?=.*[a-z])(?=.*[A-Z])\w{8}$/];

interface FileType {
  readonly type: string;
  /** Whether it is worth compressing. */
  readonly isText: boolean;
}

const text = (type: string): FileType => ({ type: `${type}; charset=utf-8`, isText: true });
const dense = (type: string): FileType => ({ type, isText: false });
const loose = (type: string): FileType => ({ type, isText: true });

const TYPES: Readonly<Record<string, FileType>> = {
  html: text('text/html'),
  htm: text('text/html'),
  css: text('text/css'),
  txt: text('text/plain'),
  js: text('text/javascript'),
  mjs: text('text/javascript'),
  csv: text('text/csv'),
  vtt: text('text/vtt'),
  md: text('text/markdown'),
  ics: text('text/calendar'),
  xhtml: loose('application/xhtml+xml'),
  json: loose('application/json'),
  map: loose('application/json'),
  geojson: loose('application/geo+json'),
  webmanifest: loose('application/manifest+json'),
  xml: loose('application/xml'),
  svg: loose('image/svg+xml'),
  rss: loose('application/rss+xml'),
  atom: loose('application/atom+xml'),
  wasm: loose('application/wasm'),
  ico: loose('image/x-icon'),
  bmp: loose('image/bmp'),
  ttf: loose('font/ttf'),
  otf: loose('font/otf'),
  eot: loose('application/vnd.ms-fontobject'),
  woff: dense('font/woff'),
  woff2: dense('font/woff2'),
  png: dense('image/png'),
  jpg: dense('image/jpeg'),
  jpeg: dense('image/jpeg'),
  gif: dense('image/gif'),
  webp: dense('image/webp'),
  avif: dense('image/avif'),
  jxl: dense('image/jxl'),
  apng: dense('image/apng'),
  mp4: dense('video/mp4'),
  webm: dense('video/webm'),
  mov: dense('video/quicktime'),
  ogv: dense('video/ogg'),
  mp3: dense('audio/mpeg'),
  m4a: dense('audio/mp4'),
  ogg: dense('audio/ogg'),
  wav: dense('audio/wav'),
  pdf: dense('application/pdf'),
  zip: dense('application/zip'),
  gz: dense('application/gzip'),
};

/** What a file is by the end of its name, as browsers must be told. */
export function typeOf(path: string): FileType {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending]! : dense('application/octet-stream');
}
