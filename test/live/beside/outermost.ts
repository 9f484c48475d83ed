/* Runs a program enclosed, in an enclosure of the kind that is named first. */
import { type EnclosureKind, runEnclosed } from '../../../harness/system/enclosure.ts';
import type { Argv } from '../../../harness/system/process.ts';

const [kind, ...argv] = process.argv.slice(2);
process.exitCode = await runEnclosed(argv as unknown as Argv, kind as EnclosureKind);
