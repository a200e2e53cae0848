import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeat = 1_000;
const abandonedAfter = 15_000;

/**
 * Runs `work` while no other process runs under the same lock file. The holder touches the file every second, so that
 * the lock of a killed process is taken over; a process id would be unreliable in containers, where ids start over.
 */
export async function withLock(file, work) {
  await mkdir(dirname(file), { recursive: true });
  while (!(await take(file))) await sleep(250);
  const pulse = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), heartbeat);
  pulse.unref();
  try {
    return await work();
  } finally {
    clearInterval(pulse);
    await rm(file, { force: true });
  }
}

async function take(file) {
  try {
    await (await open(file, 'wx')).close();
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const seen = await stat(file).catch(() => null);
  if (seen && Date.now() - seen.mtimeMs > abandonedAfter) await rm(file, { force: true });
  return false;
}
