import { expect, test } from '@jest/globals';
import { run } from '../../harness/system/process.ts';
import { PROJECT } from '../../harness/system/tools.ts';

test('the program, with all that a study on one machine imports, has neither BullMQ nor a client of Redis in it', async () => {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import('${PROJECT}harness/commands/measure.ts');
    await import('${PROJECT}harness/commands/worker.ts');
    const seen = (name) => loaded.some((url) => url.includes('/node_modules/' + name + '/'));
    console.log(JSON.stringify([seen('zod'), seen('bullmq'), seen('ioredis')]));
    process.exit();`;
  const said = await run([process.execPath, '--input-type=module', '--eval', script]);
  expect(JSON.parse(said)).toEqual([true, false, false]);
});
