import { type Recipe, type RecipeFile, UPLOAD_PATH } from '../harness/model/site.ts';
import { renderSitePage } from './page.ts';
import { makeUploadFile, type UploadKind } from './upload-files.ts';

/** A form that sends one file to the upload backend, as the body of a POST, and says how long it took. */
export function uploadOf(kind: UploadKind, bytes: number): Recipe {
  return {
    describes: `1 request, 2 KB: a form that uploads ${kind} of ${bytes} B and reports seconds, size and digest`,
    version: 2,
    files: (seed) => [renderForm(), { ...makeUploadFile(kind, bytes, seed), sent: true }],
  };
}

function renderForm(): RecipeFile {
  return renderSitePage({
    title: 'Upload',
    head: [`<style>${STYLE}</style>`],
    body: [
      '<form id="form">',
      '<h1>Upload a file</h1>',
      '<p><input type="file" id="file" required></p>',
      '<p><button id="send">Send</button></p>',
      '<p><output id="result">Nothing sent yet.</output></p>',
      '</form>',
      `<script>${SEND}</script>`,
    ],
  });
}

const STYLE = `body{font:17px/1.5 sans-serif;background:#eef1f5}
form{max-width:640px;margin:80px auto;padding:32px;background:#fff;border-radius:8px}
button{padding:10px 28px;border:0;border-radius:4px;background:#3366cc;color:#fff;font-size:17px}`;

// The file itself is the body, so that the browser reads it from the disk as it sends it. Once the upload has ended
// `photofinishSent` is called, where there is one, with `{seconds, status, bytes, sha256}` or `{seconds, error}`; the
// seconds are from the click to the last byte of the answer.
const SEND = `
const [form, file, send, result] = ['form', 'file', 'send', 'result'].map((id) => document.getElementById(id));
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const began = performance.now();
  send.disabled = true;
  result.textContent = 'Sending ...';
  const outcome = await upload(file.files[0]).catch((error) => ({ error: String(error) }));
  const report = { seconds: (performance.now() - began) / 1000, ...outcome };
  result.textContent = report.error ?? report.bytes + ' bytes in ' + report.seconds.toFixed(3) + ' s, status ' +
    report.status + ', SHA-256 ' + report.sha256;
  send.disabled = false;
  window.photofinishSent?.(report);
});
async function upload(body) {
  const headers = { 'content-type': body.type || 'application/octet-stream' };
  const response = await fetch('${UPLOAD_PATH}', { method: 'POST', headers, body });
  const answer = await response.json();
  return { status: response.status, ...answer };
}
`;
