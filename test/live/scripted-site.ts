import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { GeneratedSite } from '../../harness/model/site.ts';
import { findSite } from '../../harness/run/sites.ts';

/** The small site with a script in its page, in a folder of the test's. */
export function scriptedSite(folder: string, name: string, script: string): GeneratedSite {
  const { manifest, root } = findSite('few-small');
  cpSync(`${root}/few-small`, `${folder}/${name}`, { recursive: true });
  const moved = (path: string) => path.replace('/few-small/', `/${name}/`);
  const file = `${folder}${moved(manifest.document)}`;
  const before = readFileSync(file, 'utf8').replaceAll('/few-small/', `/${name}/`);
  const html = before.replace('<body>', () => `<script>${script}</script>\n<body>`);
  if (html === before) throw new Error('the page of the small site has no <body> for a script to stand before');
  writeFileSync(file, html);
  const sha256 = createHash('sha256').update(html).digest('hex');
  return {
    root: folder,
    manifest: {
      ...manifest,
      site: name,
      document: moved(manifest.document),
      objects: manifest.objects.map((object) => {
        const kept = { ...object, path: moved(object.path) };
        return object.path === manifest.document ? { ...kept, bytes: Buffer.byteLength(html), sha256 } : kept;
      }),
    },
  };
}

/** Takes memory until there is none to be had; a renderer that gets twelve gigabytes never ends. */
export const HOARD =
  'const held = []; try { while (held.length < 200) held.push(new Uint8Array(64 << 20)); for (;;); } catch {}';
