import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { findProgram } from '../browser/program.ts';
import type { Machine } from '../model/session.ts';
import type { Plan } from '../model/study.ts';
import { findAdapter } from '../server/adapters.ts';
import { readTools } from '../system/tools.ts';
import { readVersion } from '../system/version.ts';
import { setupsOf } from './setups.ts';

/** What this machine measures a plan with. */
export function readMachine(plan: Pick<Plan, 'conditions' | 'arms' | 'control'>): Machine {
  const tools = readTools();
  const servers = setupsOf(plan).map(({ name }) => name);
  const areOffers = plan.arms.some(({ offer }) => offer !== undefined);
  const { isShell } = findProgram(areOffers ? 'offered' : 'tcp', tools);
  return {
    photofinish: readVersion(),
    chromium: `${tools.chromium.version}${isShell ? ' (headless shell)' : ''}`,
    servers: Object.fromEntries(servers.map((name) => [name, versionOf(name)])),
    kernel: readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    packages: tools.nginx.packages ?? [],
  };
}

function versionOf(server: string): string {
  const found = findAdapter(server).find();
  return 'missing' in found ? 'none' : found.version;
}

/** What a study was begun with, or is to go on with. */
export interface PlanAndMachine {
  readonly plan: Plan;
  readonly machine: Machine;
}

/** How many differences are named. */
const NAMED = 3;

/**
 * What differs, each in a sentence, between what a study was begun with and what it is to go on with; nothing where
 * loads of both may stand in one study.
 */
export function findChanges(before: PlanAndMachine, now: PlanAndMachine): readonly string[] {
  const { chromium, servers, kernel, cpu, cores } = now.machine;
  const parts = { plan: now.plan, chromium, servers, kernel, cpu, cores };
  const old = { ...before.machine, plan: withAims(before.plan, now.plan) };
  const differences = Object.keys(parts).flatMap((part) =>
    differencesOf(part, old[part as keyof typeof parts], parts[part as keyof typeof parts]),
  );
  const more = differences.length - NAMED;
  return more > 0 ? [...differences.slice(0, NAMED), `and ${more} more`] : differences;
}

/** A plan with another's aims: how sure its answers must be, what gains are over, and how links are weighed changes no load. */
function withAims({ mix: _, stopping: own, ...plan }: Plan, { served, stopping, mix }: Plan): Plan {
  const aims = own.kind === 'early' && stopping.kind === 'early' ? { ...own, until: stopping.until } : own;
  return { ...plan, served, stopping: aims, mix };
}

function differencesOf(path: string, before: unknown, now: unknown): string[] {
  if (areNamed(before) && areNamed(now)) return differencesOfNamed(path, before, now);
  if (isNested(before) && isNested(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) => differencesOf(`${path}.${key}`, before[key], now[key]));
  }
  return Object.is(before, now) ? [] : [`${path} was ${inShort(before)}, is ${inShort(now)}`];
}

/** How two lists of named members differ: each member is compared with its namesake, wherever that stands. */
function differencesOfNamed(path: string, before: readonly Named[], now: readonly Named[]): string[] {
  const [old, own] = [byName(before), byName(now)];
  const { both = [], beside = [] } = Object.groupBy(own.keys(), (name) => (old.has(name) ? 'both' : 'beside'));
  const { kept = [], without = [] } = Object.groupBy(old.keys(), (name) => (own.has(name) ? 'kept' : 'without'));
  return [
    ...(without.length > 0 ? [`${path} is without ${inShort(without.join(', '))}`] : []),
    ...(beside.length > 0 ? [`${path} has ${inShort(beside.join(', '))} beside`] : []),
    ...both.flatMap((name) => differencesOf(`${path}.${name}`, old.get(name), own.get(name))),
    ...(both.every((name, place) => name === kept[place]) ? [] : [`${path} is in another order`]),
  ];
}

type Named = { readonly id: string } | { readonly name: string };

function byName(members: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(members.map((member) => ['id' in member ? member.id : member.name, member]));
}

function areNamed(value: unknown): value is readonly Named[] {
  const members = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return members.length > 0 && members.every((member) => isNested(member) && ('id' in member || 'name' in member));
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function inShort(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
