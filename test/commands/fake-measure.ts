/*
 * `node fake-measure.ts FOLDER SEED [TIMEOUT_S]`: measures a small study in a folder, or goes on with it, as `measure`
 * does, but with a lab that has no lab; says in events what it does.
 */
import { measure } from '../../harness/commands/measure.ts';
import { studySources } from '../../harness/commands/sources.ts';
import { studyFromFlags } from '../../harness/study/flags.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';

const [out, seed] = process.argv.slice(2);
const flags = { site: ['few-small', 'many-small'], link: ['fibre', '4g'], exactly: '14', seed: seed!, lighthouse: '1' };
const { study } = studyFromFlags(flags, studySources());
const times = { h1: 300, h2: 200, h3: 100, h1c: 300 };
const keeps = { pcap: false, netLog: false };

process.exitCode = await measure({ study, out: out!, keeps, force: false, json: true }, process.stdout, {
  readMachine: () => MACHINE,
  openLab: async ({ nextLaunch }) =>
    openFakeLab({
      nextLaunch,
      timeOf: ({ protocol, holdMs }) => times[protocol] + (holdMs ?? 0),
    }).lab,
});
