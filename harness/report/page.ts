import { createHash } from 'node:crypto';
import type { PageBundle } from './page-bundle.ts';
import type { PageData } from './page-data.ts';
import { toPageJson } from './page-packing.ts';

/**
 * One page that needs nothing else: its data, its script and its styles are inside, and its policy lets nothing in that
 * is not, nor anything out. What comes from a site stands in the data alone, which no parser takes for markup.
 */
export function renderPage(data: PageData, { script, styles }: PageBundle): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script, styles)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Photofinish report</title>
<style>${styles}</style>
</head>
<body>
<noscript><p>This report draws itself: it needs JavaScript. The same findings stand in summary.json beside it.</p></noscript>
<div id="report"></div>
<script type="application/json" id="data">${toPageJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function policyFor(script: string, styles: string): string {
  return [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(styles)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
