import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import type { Random } from '../harness/stats/random.ts';
import { splitBytes } from './bytes.ts';
import { type Draw, openDraw } from './draw.ts';
import { makeFile } from './file.ts';
import { FONT_FILES, linkStylesheets, makeFonts, makeStylesheets, preloadFonts } from './furnishing.ts';
import { MIXES, STYLESHEETS } from './medians.ts';
import { renderSitePage } from './page.ts';
import { makeFlag, makePhoto, numberNames } from './pictures.ts';
import { pick, writeTitle } from './prose.ts';
import { renderScript } from './script.ts';
import { renderBar, renderTheme } from './theme.ts';

/*
 * A single-page app's dashboard. Scripts load scripts that fetch JSON, which names scripts and pictures:
 *
 *     page ─ main.js ─ 12 modules of its core            by the load event
 *              └ session.json, messages.json             after it, and so is all that follows
 *                  └ dashboard.js ─ 6 modules
 *                      └ 10 widgets, at once
 *                          └ each its JSON
 *                              └ each (but the team's) the module that draws it; the team's 6 portraits
 */

const { html, css, scripts, images } = MIXES.app;

const CORE = 'framework router store http words dates theme layout sidebar topbar icons session'.split(' ');
const VIEW = 'grid card legend filters paging tooltip'.split(' ');
/** The widgets and what draws each. */
const WIDGETS = {
  orders: 'bars',
  revenue: 'line',
  visits: 'area',
  funnel: 'steps',
  regions: 'tiles',
  stock: 'meter',
  returns: 'columns',
  reviews: 'stars',
  tasks: 'list',
  team: undefined,
} as const;
const DRAWINGS = Object.values(WIDGETS).filter((name) => name !== undefined);
const PORTRAITS = numberNames(images.count - 1, 'portrait', 'jpg');

const LOGO_BYTES = 2_000;
const SESSION_BYTES = 1_800;
const MESSAGES_BYTES = 14_000;
const WIDGET_BYTES = 6_000;

export const app: Recipe = {
  describes: '71 requests, 1.8 MB: a dashboard of today, scripts that load scripts that fetch JSON (HTTP Archive)',
  version: 1,
  files: (seed) => {
    const draw = openDraw('app', seed);
    return [
      renderApp(draw),
      ...makeStylesheets(draw, { names: STYLESHEETS, bytes: css.bytes }, { rules: RULES, fonts: FONT_FILES }),
      ...makeModules(draw),
      ...makeFonts(FONT_FILES),
      ...makeData(draw),
      ...makePictures(draw),
    ];
  },
};

function makeModules(draw: Draw): RecipeFile[] {
  const early = ['main', ...CORE];
  const names = [...early, 'dashboard', ...VIEW, ...Object.keys(WIDGETS), ...DRAWINGS];
  const sizes = splitBytes(scripts.bytes, names.length);
  return names.map((name, index) => {
    const module = MODULES[name] ?? describeModule(name);
    const text = renderScript({ ...module, random: draw(name), bytes: sizes[index]! });
    return makeFile(`${name}.js`, text, early.includes(name) ? undefined : 'after-load');
  });
}

/** A module that this page imports and asks nothing of. */
function describeModule(name: string): Module {
  if (name in WIDGETS) return describeWidget(name as keyof typeof WIDGETS);
  if (DRAWINGS.some((drawing) => drawing === name)) return describeDrawing(name);
  return { imports: '', code: `export const name='${name}';` };
}

interface Module {
  readonly imports: string;
  readonly code: string;
}

function importAll(names: readonly string[]): string {
  return names.map((name) => `import './${name}.js';\n`).join('');
}

const MODULES: Readonly<Record<string, Module>> = {
  http: {
    imports: '',
    code: `export async function getJson(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(name + ': ' + response.status);
  return response.json();
}`,
  },
  main: {
    imports: `${importAll(CORE.filter((name) => name !== 'http'))}import { getJson } from './http.js';\n`,
    code: `async function start() {
  const [session, messages] = await Promise.all([getJson('session.json'), getJson('messages.json')]);
  document.querySelector('#greeting').textContent = messages.greeting + ', ' + session.user;
  const { show } = await import('./dashboard.js');
  await show(document.querySelectorAll('.widget'));
  performance.mark('photofinish:done');
}
start();`,
  },
  dashboard: {
    imports: importAll(VIEW),
    code: `export async function show(places) {
  await Promise.all(Array.from(places, async (place) => {
    const widget = await import('./' + place.id + '.js');
    await widget.show(place.querySelector('div'));
  }));
}`,
  },
};

function describeWidget(name: keyof typeof WIDGETS): Module {
  const drawing = WIDGETS[name];
  const draw = drawing
    ? `  const { draw } = await import('./${drawing}.js');
  place.innerHTML = draw(data.values);`
    : `  place.innerHTML = data.portraits.map((src) => '<img src="' + src + '" width="48" height="48" alt="">').join('');
  await Promise.all(Array.from(place.querySelectorAll('img'), (image) => image.decode()));`;
  return {
    imports: `import { getJson } from './http.js';\n`,
    code: `export async function show(place) {
  const data = await getJson('${name}.json');
${draw}
}`,
  };
}

function describeDrawing(name: string): Module {
  const across = ['list', 'steps', 'meter', 'stars'].includes(name);
  return {
    imports: '',
    code: `export function draw(values) {
  return values.slice(0, ${across ? 6 : 24}).map((value) => '<s style="${across ? 'width' : 'height'}:' + value + '%"></s>').join('');
}`,
  };
}

function makeData(draw: Draw): RecipeFile[] {
  const random = draw('data');
  const data = (name: string, head: object, bytes: number) =>
    makeFile(`${name}.json`, renderJson(head, bytes, random), 'after-load');
  const widgets = Object.keys(WIDGETS).map((name) => {
    const values = Array.from({ length: 24 }, () => 12 + Math.floor(random() * 88));
    return data(name, name === 'team' ? { portraits: PORTRAITS } : { values }, WIDGET_BYTES);
  });
  return [
    data('session', { user: 'Ada', plan: 'team' }, SESSION_BYTES),
    data('messages', { greeting: 'Good morning' }, MESSAGES_BYTES),
    ...widgets,
  ];
}

/** An object as JSON of exactly the given size, by rows that are added to it. */
function renderJson(head: object, bytes: number, random: Random): string {
  const rows: object[] = [];
  const render = (note: string) => JSON.stringify({ ...head, rows, note });
  for (;;) {
    rows.push({ id: rows.length, title: writeTitle(random), state: pick(['open', 'done', 'late'], random) });
    if (render('').length > bytes) break;
  }
  rows.pop();
  return render('.'.repeat(bytes - render('').length));
}

function makePictures(draw: Draw): RecipeFile[] {
  const sizes = splitBytes(images.bytes - LOGO_BYTES, PORTRAITS.length);
  return [
    makeFlag(draw, 'logo.png', LOGO_BYTES),
    ...PORTRAITS.map((name, index) => makePhoto(draw, name, { bytes: sizes[index]!, ratio: 1, arrives: 'after-load' })),
  ];
}

const RULES = `${renderTheme({ ink: '#1f2a37', paper: '#eef1f5', band: '#16202c', accent: '#3366cc' })}
.shell{display:grid;grid-template-columns:210px 1fr;height:696px}
nav{padding:24px;background:#fff;border-right:1px solid #d5dbe3}
nav a{display:block;padding:8px 0}
main{padding:20px 28px}
h1{font-size:28px;height:34px}
.widgets{display:grid;grid-template-columns:repeat(5,minmax(0,1fr));gap:18px;margin-top:16px}
.widget{height:262px;padding:14px;background:#fff;border-radius:8px;box-shadow:0 1px 3px #0002}
.widget h2{font-size:17px}
.widget p{font-size:14px;margin:2px 0 10px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.widget div{display:flex;flex-wrap:wrap;align-items:end;gap:3px;height:164px;overflow:hidden}
.widget s{flex:1;background:#3366cc}
#tasks div,#funnel div,#stock div,#reviews div{display:block}
#tasks s,#funnel s,#stock s,#reviews s{display:block;height:18px;margin-bottom:10px;background:#2f9e77}
.widget img{border-radius:50%;margin:4px}`;

function renderApp(draw: Draw): RecipeFile {
  const random = draw('text');
  const widgets = Object.keys(WIDGETS).map((id) => {
    const title = `${id[0]!.toUpperCase()}${id.slice(1)}`;
    return `<section class="widget" id="${id}"><h2>${title}</h2><p class="light">${writeTitle(random)}</p><div></div></section>`;
  });
  const links = Array.from({ length: 12 }, () => `<a href="#">${writeTitle(random)}</a>`);
  // What such pages carry in themselves: the state that the server knew already.
  const state = renderJson({ route: 'dashboard' }, html.bytes - 6_000, random);
  return renderSitePage({
    title: 'Dashboard',
    head: [
      '<meta name="viewport" content="width=device-width">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkStylesheets(STYLESHEETS),
      '<link rel="modulepreload" href="framework.js">',
      '<link rel="modulepreload" href="router.js">',
      '<script type="module" src="main.js"></script>',
    ],
    body: [
      ...renderBar({ name: 'Dashboard', logo: 'logo.png', links: ['Overview', 'Reports', 'Settings'] }),
      `<div class="shell"><nav>${links.join('')}</nav>`,
      '<main><h1 id="greeting"></h1>',
      `<div class="widgets">${widgets.join('\n')}</div></main></div>`,
      `<script type="application/json" id="state">${state}</script>`,
    ],
    bytes: html.bytes,
  });
}
