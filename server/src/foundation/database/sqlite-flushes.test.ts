import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseUnavailable } from './database-trouble.ts';
import { createFlushes, type Flushes } from './sqlite-flushes.ts';

let folder: string;
let flushes: Flushes;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-flushes-'));
  flushes = createFlushes(join(folder, 'test.sqlite'));
});
afterEach(async () => {
  await flushes.close();
  await rm(folder, { recursive: true });
});
const createLog = (): Promise<void> => writeFile(join(folder, 'test.sqlite-wal'), 'frames');

test('everyone who waits is answered, also those who come during a flush', async () => {
  await createLog();
  const first = Array.from({ length: 20 }, () => flushes.flush());
  await first[0];
  const later = Array.from({ length: 20 }, () => flushes.flush());
  await Promise.all([...first, ...later]);
  flushes.confirm();
});

test('after a failed flush nothing is durable any more, even if the disk seems to work again', async () => {
  const waiting = [flushes.flush(), flushes.flush()];
  for (const result of await Promise.allSettled(waiting))
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
  await createLog();
  await expect(flushes.flush()).rejects.toThrow(DatabaseUnavailable);
  expect(() => flushes.confirm()).toThrow(DatabaseUnavailable);
});
