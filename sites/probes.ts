import type { Recipe } from '../harness/model/site.ts';
import { drawBytes } from './bytes.ts';
import { openDraw } from './draw.ts';
import { makeFile } from './file.ts';
import { makeFlags } from './grid.ts';
import { renderImage, renderSitePage } from './page.ts';

/**
 * Physics: small enough that a load takes whole round trips and nothing else.
 * A page of 300 B and five objects of 400 B: 3 round trips over H3, 4 over H2, 6 over H1.
 */
export const five400: Recipe = {
  describes: '6 requests, 2.3 KB: a page of 300 B and 5 flags of 400 B, to count round trips',
  version: 1,
  files: (seed) => {
    const flags = makeFlags(openDraw('five', seed), new Array<number>(5).fill(400));
    const body = flags.map(({ name }) => `<img src="${name}" alt="">`);
    return [renderSitePage({ title: 'Five', body, bytes: 300 }), ...flags];
  },
};

const THINK_MS = 100;

/**
 * The trap: what is lazy and below the fold has a low priority, of which Chromium lets only six requests a host be in
 * flight where it takes the server for one without priorities. That is how it takes an origin that is forced onto QUIC
 * and sends no Alt-Svc.
 *
 *     0 ─ fold at 768 ─ images from 1,000 to 1,300 ─ end of what Chromium fetches ahead, 768 + 1,250
 */
export const lazy200: Recipe = {
  describes: '201 requests, 335 KB: 200 lazy flags of 1,600 B, each after 100 ms of thought, at low priority',
  version: 2,
  files: (seed) => {
    const flags = makeFlags(openDraw('lazy', seed), new Array<number>(200).fill(1600)).map((flag) => ({
      ...flag,
      thinkMs: THINK_MS,
    }));
    const images = flags.map(({ name }) => renderImage({ src: name, width: 48, height: 32, lazy: true }));
    const first = '<p style="height:1000px">Two hundred flags below the fold.</p>';
    return [renderSitePage({ title: 'Lazy', body: [first, ...images, renderGate(AWAIT_IMAGES)] }), ...flags];
  },
};

export const single2mb = singleFile(2_000_000, '2 requests, 2 MB: one file of 2,000,000 B (Oliveira 2020)');
export const single32mb = singleFile(32_000_000, '2 requests, 32 MB: one file of 32,000,000 B (Oliveira 2020)');

/** How finely progress is noted. */
const PROGRESS_MS = 50;

function singleFile(bytes: number, describes: string): Recipe {
  return {
    describes,
    version: 2,
    files: (seed) => [
      renderSitePage({ title: 'One file', body: ['<p>One file.</p>', renderGate(FETCH_ONE_FILE)] }),
      makeFile('file.bin', drawBytes(seed, 'file', bytes)),
    ],
  };
}

/**
 * A script that the load event waits for, though it waits neither for a fetch nor for a lazy image. It does wait for
 * frames, and a frame whose document is still being written has not loaded; so an empty one stays open until `arrive` is
 * done, and the load event's time is that of the last byte.
 */
function renderGate(arrive: string): string {
  return `<script>
const gate = document.createElement('iframe');
gate.hidden = true;
document.body.append(gate);
gate.contentDocument.open();
arrive().then(() => performance.mark('photofinish:done')).finally(() => gate.contentDocument.close());
async function arrive() {
${arrive}
}
</script>`;
}

const AWAIT_IMAGES = `  await Promise.all(Array.from(document.images, (image) => new Promise((resolve) => {
    image.onload = image.onerror = resolve;
    if (image.complete && image.naturalWidth > 0) resolve();
  })));`;

// The file is read and dropped, so that it is not kept; how much had come when tells two transfers at once apart.
const FETCH_ONE_FILE = `  const points = [];
  window.photofinishProgress = { originMs: performance.timeOrigin, points };
  const response = await fetch('file.bin', { cache: 'no-store' });
  const reader = response.body.getReader();
  for (let bytes = 0, lastMs = 0; ; ) {
    const { done, value } = await reader.read();
    const nowMs = performance.now();
    bytes += value?.length ?? 0;
    if (done || nowMs - lastMs >= ${PROGRESS_MS}) {
      points.push([nowMs, bytes]);
      lastMs = nowMs;
    }
    if (done) break;
  }`;
