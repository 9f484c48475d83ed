import type { Paper, PaperName } from '../../model/paper.ts';
import { dncs2020 } from './dncs2020.ts';
import { goncalves2015 } from './goncalves2015.ts';
import { kramer2015 } from './kramer2015.ts';
import { oliveira2020 } from './oliveira2020.ts';
import { valle2023 } from './valle2023.ts';

/** The published studies that ours may repeat, by name. */
export const PAPERS: Readonly<Record<PaperName, Paper>> = {
  kramer2015,
  dncs2020,
  valle2023,
  goncalves2015,
  oliveira2020,
};
