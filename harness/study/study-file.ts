import type { z } from 'zod';
import type { FieldPlace } from './place.ts';
import type { StudySources } from './sources.ts';
import { studySchema } from './study-schema.ts';
import { validate } from './validate.ts';
import type { PlacedWish, StudyWish } from './wish.ts';
import { readYaml } from './yaml.ts';

/** A study's file: all of it, and its short form, where it has one, which is laid over it. */
export interface StudyFile {
  /** What the study is called where it does not say: its file's name. */
  readonly named: string;
  readonly whole: PlacedWish;
  readonly quick?: PlacedWish | undefined;
}

/** Reads a study in YAML or JSON; `file` is its path, which messages name. */
export function parseStudyFile(text: string, file: string, sources: StudySources): StudyFile {
  const placed = readYaml(text, file);
  const { quick, ...keys } = validate(studySchema(sources), placed);
  const inQuick: FieldPlace = (path) => placed.place(['quick', ...path]);
  return {
    named: nameOfFile(file),
    whole: { wish: wishOf(keys), place: placed.place },
    quick: quick && { wish: wishOf(quick), place: inQuick },
  };
}

type Keys = Omit<z.output<ReturnType<typeof studySchema>>, 'quick'>;

function wishOf({ timeout, budget, ...keys }: Keys): StudyWish {
  return {
    ...keys,
    timeoutMs: timeout === undefined ? undefined : 1_000 * timeout,
    budgetMs: budget === undefined ? undefined : 60_000 * budget,
  };
}

function nameOfFile(file: string): string {
  const name = file.replace(/^.*\//, '').replace(/\.(?:ya?ml|json)$/i, '');
  return (
    name
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[^a-z0-9]+/i, '')
      .slice(0, 64) || 'study'
  );
}
