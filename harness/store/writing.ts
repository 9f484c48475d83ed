import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Capture } from '../model/capture.ts';
import type { Film } from '../model/film.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import type { Measurement } from '../model/measurement.ts';
import type { FinishedBlock, Machine, MeasuredLink, ReferenceLoad } from '../model/session.ts';
import { FIGURES } from './figures.ts';
import { pack, toJson } from './json.ts';
import type { StoredStudy } from './reading.ts';
import { inTransaction } from './schema.ts';

/** All that can be added to a store: each call is one transaction, on the disk when it returns, or has left nothing. */
export interface StoreWriter {
  /** What the study is, in place of what it was. */
  writeStudy(study: StoredStudy): void;
  /** Returns the session's number. */
  beginSession(machine: Machine, beganMs: number, notes: readonly string[]): number;
  /** What a reader must know of a session, and came up only while it went on. */
  addNote(session: number, note: string): void;
  addBlock(session: number, block: FinishedBlock): void;
  /** Loads that warmed browsers up: declared, kept, and no trial of any condition. */
  addWarmUps(session: number, captures: readonly Capture[]): void;
  /** Loads over a link without limits, of one page by one arm: they count for nothing. */
  addReferenceLoads(session: number, loads: readonly ReferenceLoad[]): void;
  addMeasuredLink(session: number, link: MeasuredLink): void;
  /** The films of a condition, one of each arm that has one. */
  addFilms(session: number, condition: string, films: ReadonlyMap<string, Film>): void;
  addLighthouse(session: number, trial: LighthouseTrial): void;
}

const TRIAL = ['serial', 'position', 'arm', 'evidence', 'status', 'reason', 'says', ...FIGURES.map(([name]) => name)];

/** What writes to a database that has the schema. */
export function writerOf(database: DatabaseSync): StoreWriter {
  const insert = {
    session: insertion(database, 'session', ['beganMs', 'lastMs', 'machine', 'notes']),
    block: insertion(database, 'block', ['serial', 'session', 'condition', 'index', 'order', 'beganMs']),
    trial: insertion(database, 'trial', TRIAL),
    capture: insertion(database, 'capture', ['trial', 'packed']),
    disturbed: insertion(database, 'disturbedLoad', ['serial', 'arm', 'packed']),
    warmUp: insertion(database, 'warmUp', ['session', 'launch', 'packed']),
    reference: insertion(database, 'referenceLoad', [
      ...(['session', 'launch', 'page', 'arm', 'watched', 'pltMs', 'packed'] as const),
    ]),
    link: insertion(database, 'measuredLink', ['session', 'link', 'calibration', 'lab']),
    film: insertion(database, 'film', ['session', 'condition', 'arm', 'packed']),
    lighthouse: insertion(database, 'lighthouse', ['session', 'condition', 'arm', 'run', 'score']),
  };
  const study = database.prepare('INSERT OR REPLACE INTO study (only, study, "plan", text) VALUES (1, ?, ?, ?)');
  const note = database.prepare("UPDATE session SET notes = json_insert(notes, '$[#]', ?) WHERE number = ?");
  const sign = database.prepare('UPDATE session SET lastMs = ? WHERE number = ?');
  const add = (session: number, work: () => void) =>
    inTransaction(database, () => {
      work();
      sign.run(Date.now(), session);
    });
  return {
    writeStudy(stored) {
      study.run(toJson(stored.study), toJson(stored.plan), stored.text ?? null);
    },
    beginSession: (machine, beganMs, notes) =>
      insert.session({ beganMs, lastMs: beganMs, machine: toJson(machine), notes: toJson(notes) }),
    addNote: (session, text) => add(session, () => void note.run(text, session)),
    addBlock(session, { serial, block: { condition, index, order }, beganMs, trials, disturbed = [] }) {
      // Packed before the transaction begins, during which no other process can write.
      const packed = trials.map(({ capture }) => pack(capture));
      const rows = disturbed.map(({ arm, capture }) => ({ serial, arm, packed: pack(capture) }));
      add(session, () => {
        insert.block({ serial, session, condition, index, order: toJson(order), beganMs });
        for (const [position, { measurement, evidence }] of trials.entries()) {
          const trial = insert.trial({ serial, position, evidence: toJson(evidence), ...columnsOf(measurement) });
          insert.capture({ trial, packed: packed[position]! });
        }
        rows.forEach(insert.disturbed);
      });
    },
    addWarmUps(session, captures) {
      const rows = captures.map((capture) => ({ session, launch: capture.launch, packed: pack(capture) }));
      add(session, () => rows.forEach(insert.warmUp));
    },
    addReferenceLoads(session, loads) {
      const rows = loads.map(({ page, arm, watched, pltMs = null, capture }) => ({
        session,
        launch: capture.launch,
        page,
        arm,
        watched: Number(watched),
        pltMs,
        packed: pack(capture),
      }));
      add(session, () => rows.forEach(insert.reference));
    },
    addMeasuredLink: (session, { link, calibration, lab }) =>
      add(session, () => insert.link({ session, link, calibration: toJson(calibration), lab: toJson(lab) })),
    addFilms(session, condition, films) {
      const rows = [...films].map(([arm, film]) => ({ session, condition, arm, packed: pack(film) }));
      add(session, () => rows.forEach(insert.film));
    },
    addLighthouse: (session, { condition, arm, run, score }) =>
      add(session, () => insert.lighthouse({ session, condition, arm, run, score: toJson(score) })),
  };
}

/** A prepared insertion into some columns of a table; it returns the row's number. */
function insertion<Name extends string>(database: DatabaseSync, table: string, columns: readonly Name[]) {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const values = columns.map((name) => `:${name}`).join(', ');
  const statement = database.prepare(`INSERT INTO ${table} (${names}) VALUES (${values})`);
  return (row: Readonly<Record<Name, SQLInputValue>>): number => Number(statement.run(row).lastInsertRowid);
}

/** The columns of a measurement; what is absent is null. */
function columnsOf({ arm, ...measurement }: Measurement) {
  const { reason = null, says = null, ...rest } = measurement as Partial<Extract<Measurement, { status: 'failed' }>>;
  const figures = rest as Readonly<Record<string, SQLInputValue | boolean | undefined>>;
  const cells = FIGURES.map(([name]) => {
    const value = figures[name] ?? null;
    return [name, typeof value === 'boolean' ? Number(value) : value] as const;
  });
  return { arm, status: measurement.status, reason, says, ...Object.fromEntries(cells) };
}
