import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { writeWhole } from '../system/write-whole.ts';

/** The front end as one script and one style sheet. */
export interface PageBundle {
  readonly script: string;
  readonly styles: string;
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** What the front end may be made of; another version of a package is another lock. */
const SOURCES = [
  'reports/{,*/}*.{ts,css}',
  'harness/{model,stats,measurement,comparison,tree,advice,replication,findings,report}/**/*.ts',
  'package-lock.json',
];

/** Bundles the front end, or finds it as it was bundled from the same sources. */
export function bundlePage(cache = `${PROJECT}.lab/report`): PageBundle {
  const path = join(cache, `${digestOfSources()}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as PageBundle;
  const bundle = build();
  // Two processes may do this at once; both make the same file.
  writeWhole(path, JSON.stringify(bundle));
  removeOld(cache, path);
  return bundle;
}

/** A process that began a moment ago may be about to read another file, or to put its own in its place. */
const YOUNG_MS = 60_000;

function removeOld(cache: string, kept: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (path !== kept && Date.now() - mtimeMs > YOUNG_MS) rmSync(path, { force: true });
  }
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: PROJECT }).sort())
    hash.update(`${file}\n`).update(readFileSync(`${PROJECT}${file}`));
  return hash.digest('hex').slice(0, 32);
}

function build(): PageBundle {
  const { outputFiles } = buildSync({
    entryPoints: { page: `${PROJECT}reports/main.ts` },
    outdir: '/out', // Nothing is written there.
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const textOf = (kind: string) => outputFiles.find(({ path }) => path.endsWith(kind))?.text ?? '';
  // Whatever a text in it says, it cannot end the element that it stands in.
  return { script: textOf('.js').replaceAll('</script', '<\\/script'), styles: textOf('.css') };
}
