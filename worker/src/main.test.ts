import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a process that loses its parent is killed, because an exit in order may never end', async () => {
  const child = fork(join(import.meta.dirname, 'main.ts'), ['unpack'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expect(await once(child, 'message')).toEqual(['ready', undefined]);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});
