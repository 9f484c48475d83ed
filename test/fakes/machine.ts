import type { Machine } from '../../harness/model/session.ts';

/** A machine that no study was ever measured on. */
export const MACHINE: Machine = {
  photofinish: '0.0.0',
  chromium: '156.0',
  servers: { nginx: '1.30.6, OpenSSL 3.6.5' },
  kernel: '6.1',
  cpu: 'none',
  cores: 2,
  memoryBytes: 4e9,
  packages: [],
};
