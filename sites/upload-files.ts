import type { RecipeFile } from '../harness/model/site.ts';
import { seededRandom } from '../harness/stats/random.ts';
import { makeFile } from './file.ts';
import { renderVideo } from './mp4.ts';
import { renderPhoto } from './photo.ts';
import { writeSentence } from './prose.ts';

/** The kinds of file that are uploaded. */
export const UPLOAD_KINDS = ['jpg', 'mp4', 'txt'] as const;

export type UploadKind = (typeof UPLOAD_KINDS)[number];

/** Below this size a photo or a video has no room for its own header. */
export const LEAST_UPLOAD_BYTES = 1_000;

/** Photos have no more pixels than a telephone's; what their bytes could say beyond that is comments. */
const LARGEST_PHOTO_BYTES = 8_000_000;

/** A file to upload, of exactly the given size: a photo that decodes, a video that plays, or text in lines. */
export function makeUploadFile(kind: UploadKind, bytes: number, seed: number): RecipeFile {
  if (bytes < LEAST_UPLOAD_BYTES) throw new RangeError(`a file to upload has at least ${LEAST_UPLOAD_BYTES} bytes`);
  return makeFile(`upload-${bytes}.${kind}`, MAKERS[kind](seed, bytes));
}

const MAKERS: Readonly<Record<UploadKind, (seed: number, bytes: number) => Buffer>> = {
  jpg: (seed, bytes) => {
    const pixelsPerByte = 1.5 * Math.min(1, LARGEST_PHOTO_BYTES / bytes);
    return renderPhoto({ random: seededRandom(seed, `upload ${bytes}`), bytes, ratio: 4 / 3, pixelsPerByte });
  },
  mp4: renderVideo,
  txt: renderText,
};

function renderText(seed: number, bytes: number): Buffer {
  const random = seededRandom(seed, 'text');
  const text = Buffer.alloc(bytes, '.');
  for (let at = 0; at < bytes; ) at += text.write(`${writeSentence(random)}\n`, at, 'latin1') || bytes;
  text[bytes - 1] = 10; // It ends with a line's end, as text does.
  return text;
}
