import { createHash } from 'node:crypto';
import type { PageBundle } from './page-bundle.ts';
import type { PageData } from './page-data.ts';
import { toPageJson } from './page-packing.ts';

/** A file that stands for itself, or a page that a server of ours tells what is new. */
export type PageForm = 'file' | 'served';

/**
 * One page that needs nothing else: its data, its script and its styles are inside, and its policy lets nothing in that
 * is not, nor anything out. What comes from a site stands in the data alone, which no parser takes for markup.
 */
export function renderPage(data: PageData, bundle: PageBundle): string {
  return renderForm(toPageJson(data), bundle, 'file');
}

/**
 * A report page, from data that is JSON already, which may ask the server that it came from for more, and no other.
 */
export function renderServedPage({ json, version }: ServedData, bundle: PageBundle): string {
  return renderForm(json, bundle, 'served', ` data-live="${version}"`);
}

/** Data as JSON, and of which version it is. */
export interface ServedData {
  readonly json: string;
  readonly version: string;
}

function renderForm(json: string, bundle: PageBundle, form: PageForm, attributes = ''): string {
  const { script, styles } = bundle;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(bundle, form)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Photofinish report</title>
<style>${styles}</style>
</head>
<body>
<noscript><p>This report draws itself: it needs JavaScript. The same findings stand in summary.json beside it.</p></noscript>
<div id="report"${attributes}></div>
<script type="application/json" id="data">${json}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** What a page may do. */
export function policyOf({ script, styles }: PageBundle, form: PageForm): string {
  return [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(styles)}'`,
    'img-src data:',
    ...(form === 'served' ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
