import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { renderPage } from '../../harness/report/page.ts';
import { bundlePage } from '../../harness/report/page-bundle.ts';
import type { PageData } from '../../harness/report/page-data.ts';
import { fromPageJson } from '../../harness/report/page-packing.ts';
import { smallPage } from './pages.ts';

const cache = mkdtempSync(join(tmpdir(), 'photofinish-bundle-'));
afterAll(() => rmSync(cache, { recursive: true }));

test('the front end is bundled once for the same sources', () => {
  const bundle = bundlePage(cache);
  expect(bundle.script.length).toBeGreaterThan(100_000);
  expect(bundle.styles).toContain('prefers-color-scheme');
  const [name] = readdirSync(cache);
  expect(bundlePage(cache)).toEqual(bundle);
  expect(readdirSync(cache)).toEqual([name]);
});

test('what was bundled of other sources goes, but for what somebody may be about to read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-bundle-'));
  for (const name of ['old.json', 'older.json.77', 'new.json']) writeFileSync(join(folder, name), '{}');
  const hourAgo = Date.now() / 1000 - 3600;
  for (const name of ['old.json', 'older.json.77']) utimesSync(join(folder, name), hourAgo, hourAgo);
  bundlePage(folder);
  expect(readdirSync(folder).filter((name) => !/^[0-9a-f]{32}\.json$/.test(name))).toEqual(['new.json']);
  expect(readdirSync(folder)).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

test('a page has its data, one script and one style sheet, and a policy that allows these alone', () => {
  const bundle = bundlePage(cache);
  const { page } = smallPage({ sites: ['</script><script>alert(1)</script>'] });
  const html = renderPage(page, bundle);
  expect(html.replace(bundle.script, '').match(/<script/g)).toHaveLength(2);
  const [, json] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)!;
  expect(fromPageJson<PageData>(json!)).toEqual(page);
  const digest = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(html)!;
  expect(policy!.split('; ')).toEqual([
    "default-src 'none'",
    `script-src '${digest(bundle.script)}'`,
    `style-src '${digest(bundle.styles)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(html).not.toMatch(/<(?:link|img|iframe)\b|\bsrc="http/);
});
