import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandAgain, studyWords } from '../../harness/commands/command-again.ts';
import { studySources } from '../../harness/commands/sources.ts';
import { type StudyFlags, studyFromFlags } from '../../harness/study/flags.ts';
import { studyOf } from '../study/plans.ts';

test.each<[string, StudyFlags]>([
  ['--study today --seed 7', {}],
  ['--study today --quick --seed 7', { quick: true }],
  ['--study kramer2015 --seed 7', { study: 'kramer2015' }],
  [
    '--site article --link rate=2mbit,rtt=20ms --arms h2,h3 --blocks 12 --seed 7',
    { site: ['article'], link: ['rate=2mbit,rtt=20ms'], arms: 'h2,h3', blocks: '12' },
  ],
  ['--study switch-on --seed 7', { study: 'switch-on' }],
  [
    '--site article --link 4g --offers h2,h3-altsvc --seed 7',
    { site: ['article'], link: ['4g', 'cable'], offers: 'h2,h3-altsvc', 'first-visits': '60%' },
  ],
  ['--study today --until proven --served h1 --seed 7', { until: 'proven', served: 'h1' }],
  ['--study today --har full --seed 7', { har: 'full' }],
  ['--study kramer2015 --served h3 --seed 7', { study: 'kramer2015', served: 'h3' }],
])('the command that asks for the same study again: %s', (options, flags) => {
  const { study } = studyFromFlags({ ...flags, seed: '7' }, studySources());
  const { command } = commandAgain(study);
  expect(command.startsWith('npm run measure -- ')).toBe(true);
  expect(studyFromFlags(parse(command), studySources()).study).toEqual(study);
  if (!options.includes('--site')) expect(command).toBe(`npm run measure -- ${options}`);
});

test('a study that options cannot say needs its file', () => {
  expect(commandAgain(studyOf({ name: 'my own', sites: ['nowhere'] }))).toEqual({
    command: "npm run measure -- --study 'my own.yaml' --seed 7",
    needs: 'the file that describes the study',
  });
});

test('what follows on a study names its folder and its own pages as one types them', () => {
  const folder = join(process.cwd(), 'reports/out/my own');
  const samples = studyOf({ sites: ['article'] });
  expect(studyWords(folder, samples)).toEqual({
    goOn: "npm run measure -- --out 'reports/out/my own'",
    folder: "'reports/out/my own'",
    ownPages: '',
  });
  expect(studyWords('/elsewhere', samples).folder).toBe('/elsewhere');
  const own = studyOf({ sites: ['article', 'dist', 'mine'], places: { dist: join(process.cwd(), 'dist') } });
  expect(studyWords(folder, own).ownPages).toBe('--site ./dist --site mine');
  expect(studyWords(folder, studyOf({ sites: ['mine'], device: 'mobile' })).device).toBe('--device mobile');
  const h2 = { arms: [{ name: 'h2', protocol: 'h2' }] } as const;
  expect(studyWords(folder, studyOf({ sites: ['https://shop.example/'], ...h2 }))).toMatchObject({
    ownPages: '--site https://shop.example/',
    withoutH3: 'https://shop.example/',
  });
  expect(studyWords(folder, studyOf({ sites: ['https://shop.example/'] })).withoutH3).toBeUndefined();
});

/** What `measure` would be given. */
function parse(command: string): StudyFlags {
  const words = command.split(' ').slice(4);
  const flags: Record<string, unknown> = {};
  const many = ['site', 'link', 'server', 'visit'];
  for (let at = 0; at < words.length; at += 1) {
    const option = words[at]!.slice(2);
    if (option === 'quick') flags[option] = true;
    else if (many.includes(option)) flags[option] = [...((flags[option] as string[]) ?? []), words[++at]!];
    else flags[option] = words[++at]!;
  }
  return flags as StudyFlags;
}
