/**
 * `node harness/setup.mjs`: makes a fresh machine ready, and does nothing on one that is.
 *
 * Node 18 is the oldest that reads the rest, so this file keeps to what older ones can parse and say.
 */
const oldest = 18;
const thisMachineCannot = 3;

if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(
    `setup: Node ${process.versions.node} is too old, ${oldest} is needed to begin: sudo apt-get install nodejs npm\n`,
  );
  process.exitCode = thisMachineCannot;
} else {
  void import('./setup/main.mjs').then(({ main }) => main(process.argv.slice(2)));
}
