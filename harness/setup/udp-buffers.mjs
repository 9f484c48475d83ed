import { rmSync } from 'node:fs';
import { EnvironmentError } from './failure.mjs';
import { readJson, readText, writeIfAllowed, writeJson } from './files.mjs';
import { capture } from './run.mjs';

/** 7.5 MiB, below which QUIC at high rates loses packets in the receiver's own socket. */
const neededBytes = 7_864_320;

const settings = ['net.core.rmem_max', 'net.core.wmem_max'];

/**
 * @typedef {Record<string, number | null>} BufferLimits bytes by the setting's name, null where it cannot be read
 * @typedef {Record<string, { was: number, set: number }>} BufferChanges
 */

/**
 * The limits in force on this host.
 *
 * @returns {BufferLimits}
 */
export function readBufferLimits() {
  return Object.fromEntries(
    settings.map((name) => {
      const text = readText(settingPath(name));
      return [name, text === null ? null : Number(text)];
    }),
  );
}

/**
 * The smaller of the two limits, which is what a socket can count on, or null where it cannot be told.
 *
 * @param {BufferLimits} limits
 * @returns {number | null}
 */
export function bufferBytes(limits) {
  const values = Object.values(limits).filter((value) => value !== null);
  return values.length === 0 ? null : Math.min(...values);
}

/**
 * What has to be raised; nothing is ever lowered.
 *
 * @param {BufferLimits} limits
 * @returns {BufferChanges}
 */
export function planBuffers(limits) {
  /** @type {BufferChanges} */
  const changes = {};
  for (const [name, was] of Object.entries(limits)) {
    if (was !== null && was < neededBytes) changes[name] = { was, set: neededBytes };
  }
  return changes;
}

/**
 * What has to be put back: the settings that are still as they were left, not those that someone has changed since. The
 * record is a file that others may have written to: root puts back nothing but these settings, and nothing but numbers.
 *
 * @param {BufferChanges} recorded
 * @param {BufferLimits} limits
 * @returns {BufferChanges}
 */
export function planUndo(recorded, limits) {
  const isOurs = (/** @type {[string, { was: number, set: number }]} */ [name, change]) =>
    Object.hasOwn(limits, name) && Number.isSafeInteger(change?.was) && change.was > 0 && limits[name] === change.set;
  return Object.fromEntries(Object.entries(recorded ?? {}).filter(isOurs));
}

/**
 * Raises the limits, with the old values on disk before anything is changed.
 *
 * @param {BufferChanges} changes
 * @param {object} options
 * @param {readonly string[]} options.elevate
 * @param {string} options.record
 * @returns {string[]} what was changed, in words
 */
export function raiseBuffers(changes, { elevate, record }) {
  const before = readRecord(record);
  writeJson(record, { ...before, ...changes });
  const raised = Object.entries(changes).filter(([name, { set }]) => writeSetting(name, set, elevate));
  const kept = { ...before, ...Object.fromEntries(raised) };
  if (Object.keys(kept).length === 0) rmSync(record, { force: true });
  else writeJson(record, kept);
  return raised.map(([name, { was, set }]) => `${name} from ${was} to ${set}`);
}

/**
 * Puts the limits back to what they were before the first raise.
 *
 * @param {object} options
 * @param {readonly string[] | null} options.elevate
 * @param {string} options.record
 * @returns {string[]} what was put back, in words
 */
export function undoBuffers({ elevate, record }) {
  const changes = Object.entries(planUndo(readRecord(record), readBufferLimits()));
  const stuck = changes.filter(([name, { was }]) => elevate === null || !writeSetting(name, was, elevate));
  if (stuck.length > 0) {
    const words = stuck.map(([name, { was }]) => `${name}=${was}`).join(' ');
    throw new EnvironmentError(`only root may put the UDP buffers back: sudo sysctl -w ${words}`);
  }
  rmSync(record, { force: true });
  return changes.map(([name, { was, set }]) => `${name} from ${set} to ${was}`);
}

/**
 * @param {string} record
 * @returns {BufferChanges}
 */
function readRecord(record) {
  return readJson(record) ?? {};
}

/**
 * @param {string} name
 * @param {number} value
 * @param {readonly string[]} elevate
 */
function writeSetting(name, value, elevate) {
  const path = settingPath(name);
  if (elevate.length === 0) return writeIfAllowed(path, String(value));
  return capture([...elevate, 'tee', path], { input: String(value) }).ok;
}

/** @param {string} name */
function settingPath(name) {
  return `/proc/sys/${name.replaceAll('.', '/')}`;
}
