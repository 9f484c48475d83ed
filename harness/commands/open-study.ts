import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../model/errors.ts';
import { inOneLine } from '../model/printable.ts';
import { openStoreIfBegun, openStoreToRead, STORE_FILE, type StoreSnapshot } from '../store/store.ts';
import { assertStoredNames, assertStoredStudy } from '../study/stored-study.ts';

/** Opens the store in a study's folder to read it; a study may be running there, and the folder may be a stranger's. */
export function openStudy(folder: string): StoreSnapshot {
  using undo = new DisposableStack();
  const store = undo.use(openStoreToRead(join(folder, STORE_FILE)));
  if (!assertStored(store, folder)) throw new UsageError(`no study in ${folder}: nothing was written yet`);
  undo.move();
  return store;
}

/** Opens a study to read; undefined where none was begun. */
export function openStudyIfBegun(folder: string): StoreSnapshot | undefined {
  using undo = new DisposableStack();
  const store = undo.adopt(openStoreIfBegun(join(folder, STORE_FILE)), (each) => each?.[Symbol.dispose]());
  if (!store || !assertStored(store, folder)) return undefined;
  undo.move();
  return store;
}

/**
 * Does something with the study in a folder. Of what is in its store only what ends in paths, in arguments and on terminals
 * is held to a schema; what else trips up a reader is said in a line, as the stranger's folder that it may be.
 */
export function withStudy<T>(folder: string, work: (store: StoreSnapshot) => T): T {
  using store = openStudy(folder);
  return orDamaged(folder, () => work(store));
}

/** Does something else with a study's content; where that is damaged, a line says so. */
export function orDamaged<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { name, message, stack = '', code = '' } = cause as NodeJS.ErrnoException;
    if (!/^(Type|Range|Syntax)Error/.test(name) && !code.startsWith('Z_')) throw cause;
    const [place = 'reading it'] = /(?<=\n *at )[\w.]+(?= )/.exec(stack) ?? [];
    throw new UsageError(
      `the study in ${folder} is damaged (${inOneLine(message)}, in ${place}). Expected: an intact copy of it, or another folder`,
      { cause },
    );
  }
}

/** Whether there is a study; one that is not as photofinish writes it is refused before anything is made of it. */
function assertStored(store: StoreSnapshot, folder: string): boolean {
  return orDamaged(folder, () => {
    const found = store.readStudy();
    if (!found) return false;
    assertStoredStudy(found, folder);
    assertStoredNames(store.names(), folder);
    return true;
  });
}

/** Refuses a folder in which one of these names leads elsewhere: what is written there would be written there. */
export function refuseLinks(folder: string, names: readonly string[], where: string): void {
  const led = names.find((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink());
  if (led === undefined) return;
  throw new UsageError(
    `${where}: ${join(folder, led)} is a link that leads elsewhere. Expected: a folder without such`,
  );
}
