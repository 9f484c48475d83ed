import { openStore } from '../../harness/store/store.ts';
import { blockOf, MACHINE, okLoad } from './studies.ts';

/** Adds blocks to a store until it is killed; says which, once each is there. */
using store = openStore(process.argv[2]!);
const session = store.beginSession(MACHINE, Date.now(), []);
for (let serial = store.nextSerial(); ; serial += 1) {
  store.addBlock(
    session,
    blockOf(
      serial,
      ['h1', 'h2', 'h3'].map((arm) => okLoad('c', serial, arm)),
    ),
  );
  process.stdout.write(`${serial}\n`);
}
