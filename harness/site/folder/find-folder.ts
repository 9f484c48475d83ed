import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../model/errors.ts';

/** A built site that the user named: a folder of files, and the page in it. */
export interface BuiltSite {
  /** Absolute, without links. */
  readonly root: string;
  /** The path of the folder, or of the page where one was named: absolute, without links. */
  readonly path: string;
  /** The page's path in its address, from the root: `/`, or `/blog/post.html`. */
  readonly page: string;
  /** The site's name after its folder and its page, fit for a recording. */
  readonly name: string;
  /** A host name below `.test` that no server of the lab has. */
  readonly host: string;
}

/** What build tools call the folder that they write to, where nothing else says where a site begins. */
const BUILT = ['dist', 'build', 'out', 'public', '_site', 'www', 'site', 'htdocs', 'docs'];

/** Finds what was named: a folder with an `index.html`, or a page in one; undefined where there is neither. */
export function findFolder(named: string): BuiltSite | undefined {
  const path = resolve(named);
  if (named === '' || !existsSync(path)) return undefined;
  const real = realpathSync(path);
  const stat = statSync(real);
  if (stat.isDirectory()) return describe(real, findIndex(real, named), real);
  if (!stat.isFile() || !/\.html?$/i.test(real)) return undefined;
  const root = rootOf(real);
  return describe(root, relative(root, real), real);
}

function findIndex(root: string, named: string): string {
  if (isFile(join(root, 'index.html'))) return 'index.html';
  const built = BUILT.find((name) => isFile(join(root, name, 'index.html')));
  const advice = built === undefined ? 'a path to a page in it will do' : `the built site may be ${join(named, built)}`;
  throw new UsageError(`--site: '${named}' has no index.html; ${advice}`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * A page's site begins at the nearest folder that is called as built ones are, or at its own. The name alone may mislead: a
 * folder below with an `index.html` goes before one without.
 */
function rootOf(page: string): string {
  const withIndex: string[] = [];
  for (let folder = dirname(page); folder !== dirname(folder); folder = dirname(folder)) {
    if (isFile(join(folder, 'index.html'))) withIndex.push(folder);
    if (BUILT.includes(basename(folder))) return withIndex.at(-1) === folder ? folder : (withIndex[0] ?? folder);
  }
  return dirname(page);
}

function describe(root: string, file: string, named: string): BuiltSite {
  const path = file.split(sep).map(encodeURIComponent).join('/');
  const page = `/${path === 'index.html' || path.endsWith('/index.html') ? path.slice(0, -'index.html'.length) : path}`;
  const folder = label(basename(root)) || 'site';
  const name = page === '/' ? folder : `${folder}-${label(file.replace(/(\/?index)?\.html?$/i, ''))}`;
  // The lab's own servers are called h1, h2 and h3.
  return {
    root,
    page,
    path: named,
    name: name.slice(0, 64),
    host: `${/^h\d$/.test(folder) ? `site-${folder}` : folder}.photofinish.test`,
  };
}

/** A text made fit to be one label of a host name. */
function label(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
}
