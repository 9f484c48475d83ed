import { HOARD } from '../scripted-site.ts';

/** Pages that do what no page should, by the name of their site: the small site with a script in its head. */
export const PAGES: readonly (readonly [site: string, script: string])[] = [
  ['hoards', HOARD],
  ['never-ends', 'for (;;);'],
  [
    'asks-on',
    'let asked = 0; const ask = () => { const image = new Image(); image.onload = image.onerror = ask; image.src = "?" + asked++; }; ask();',
  ],
  ['asks-10000', 'for (let asked = 0; asked < 10000; asked += 1) new Image().src = "?" + asked;'],
  ['leaves', "location.replace('/few-small/index.html');"],
  ['leaves-for-good', "location.replace('https://nowhere.photofinish.test/');"],
];
