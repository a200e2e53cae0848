import { open } from 'node:fs/promises';

// The product's command line on a disk that loses a write: after SIGUSR2, the next flush of this process fails.

let isLost = false;
process.on('SIGUSR2', () => (isLost = true));

const handle = await open(import.meta.filename);
const methods = Object.getPrototypeOf(handle) as { datasync: () => Promise<void> };
await handle.close();
const { datasync } = methods;
methods.datasync = function (this: object) {
  if (!isLost) return datasync.call(this);
  isLost = false;
  return Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
};

await import('../../src/main.ts');
