import type { Check, GateFindings } from '../model/gate.ts';
import { describeCheck, type GateContext } from './gate-text.ts';

/** Where and when a gate stood. */
export interface JunitOrigin {
  readonly hostname: string;
  readonly atMs: number;
}

/**
 * A gate's findings as a JUnit report, which CI services show: a test for each check. It keeps to what the schemas in
 * use have in common: that of Ant's own reports, which Windy Road wrote down, and that of Jenkins's xUnit plug-in.
 */
export function renderJunit(findings: GateFindings, context: GateContext, { hostname, atMs }: JunitOrigin): string {
  const { checks } = findings;
  const failures = checks.filter((check) => isFailure(check, context)).length;
  const skipped = checks.filter((check) => check.outcome === 'unknown' && !isFailure(check, context)).length;
  const suite = {
    name: `photofinish gate ${context.study}`,
    package: 'photofinish',
    id: 0,
    timestamp: new Date(atMs).toISOString().slice(0, 19),
    hostname,
    tests: checks.length,
    failures,
    errors: 0,
    skipped,
    time: 0,
  };
  const properties = [
    tag('property', { name: 'options', value: context.asked.join(' ') }),
    tag('property', { name: 'comparisons', value: findings.comparisons }),
    ...context.notes.map((note, index) => tag('property', { name: `note ${index + 1}`, value: note })),
  ];
  const content = [
    tag('properties', {}, `\n${indented(properties)}`),
    ...checks.map((check) => testcase(check, context)),
    tag('system-out', {}, ''),
    tag('system-err', {}, ''),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag('testsuites', {}, `\n${indented([tag('testsuite', suite, `\n${indented(content)}`)])}`)}\n`;
}

function isFailure({ outcome }: Check, { strict }: GateContext): boolean {
  return outcome === 'broken' || (strict && outcome === 'unknown');
}

function testcase(check: Check, context: GateContext): string {
  const says = describeCheck(check);
  const limit = `${check.limit} ${check.unit}`;
  const names = {
    name: `${check.title}: ${check.arm}, ${limit}`,
    classname: `${context.study}.${check.kind}`,
    time: 0,
  };
  if (isFailure(check, context))
    return tag(
      'testcase',
      names,
      `\n${indented([tag('failure', { message: says, type: check.outcome }, text(says))])}`,
    );
  // Readers of such reports know only passed, failed and skipped: what is neither passed nor failed is skipped.
  if (check.outcome === 'unknown') return tag('testcase', names, `\n${indented([tag('skipped', { message: says })])}`);
  return tag('testcase', names);
}

function tag(name: string, attributes: Readonly<Record<string, string | number>>, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(`${value}`)}"`);
  const opening = `<${name}${written.join('')}`;
  return content === undefined || content === '' ? `${opening}/>` : `${opening}>${content}</${name}>`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text for an element or an attribute; what XML has no character for is replaced. */
function text(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => ENTITIES[character]!);
}
