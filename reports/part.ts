import type { Report } from './report.ts';
import type { State } from './state.ts';

/** A part of the page, under its title. */
export interface Part {
  readonly node: HTMLElement;
  /** What leads to it. */
  readonly title: string;
  /** Shows what the reader has chosen. */
  show(state: State): void;
  /** Takes in the same study, further on; it is shown after that. */
  update(report: Report): void;
}

/** What a part asks of the page when the reader does something in it. */
export interface Deeds {
  readonly change: (chosen: Partial<State>) => void;
  /** Chooses a condition and goes there. */
  readonly open: (condition: string) => void;
}

/** Draws a part; nothing where the study has nothing to show in it yet. */
export type DrawPart = (report: Report, deeds: Deeds) => Part | undefined;
