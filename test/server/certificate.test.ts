import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeCertificate, spkiOf } from '../../harness/server/certificate.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-certificate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const chainIn = (file: string) =>
  (readFileSync(file, 'utf8').match(/-----BEGIN.*?END CERTIFICATE-----/gs) ?? []).map(
    (pem) => new X509Certificate(pem),
  );

test.each([
  ['of a few names', ['h1.photofinish.test', 'h2.photofinish.test', 'h3.photofinish.test']],
  ['of as many as a recorded page has', Array.from({ length: 60 }, (_, index) => `host-${index}.some.example`)],
])('a chain %s is as long as a public one, whatever is in it', async (_, names) => {
  const { certificate, spki, bytes } = await makeCertificate(folder, names);
  const [leaf, intermediate, ...more] = chainIn(certificate);
  expect(more).toEqual([]);
  expect(leaf!.raw.length + intermediate!.raw.length).toBe(bytes);
  expect(Math.abs(bytes - 2_800)).toBeLessThan(10); // A signature's length is chance.
  expect(leaf!.verify(intermediate!.publicKey)).toBe(true);
  expect([leaf!.ca, intermediate!.ca, intermediate!.issuer]).toEqual([false, true, 'CN=photofinish root']);
  expect(spkiOf(leaf!)).toBe(spki);
  for (const name of names) expect(leaf!.checkHost(name)).toBe(name);
  const days = (each: X509Certificate) => (Date.parse(each.validTo) - Date.parse(each.validFrom)) / 86_400_000;
  expect([leaf!, intermediate!].map(days)).toEqual([13, 13]);
});

test('of more names than that has room for, it is longer', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `host-${index}.some.example`);
  expect((await makeCertificate(folder, names)).bytes).toBeGreaterThan(6_000);
});
