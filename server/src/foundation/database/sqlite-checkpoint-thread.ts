import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

const PAUSE_MS = 200;
/** Number of checks without anything new to checkpoint, after which the thread ends. */
const QUIET_LOOKS = 25;

const database = new DatabaseSync(workerData as string, { timeout: 1000 });
database.exec('PRAGMA synchronous=FULL');
const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');

for (let quiet = 0, before = -1; quiet < QUIET_LOOKS;) {
  const { busy, log, checkpointed } = move.get() as { busy: number; log: number; checkpointed: number };
  // Another process is checkpointing.
  if (busy) process.exit(1);
  quiet = log === checkpointed && log === before ? quiet + 1 : 0;
  before = log;
  await sleep(PAUSE_MS);
}
database.close();
