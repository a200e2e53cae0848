import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { watchForLeftovers } from './left-running.ts';

/** Starts a process that waits, prints its id, and ends without stopping it. */
const CARELESS = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore', detached: true });
  child.unref();
  console.log(child.pid);
`;

test.runIf(process.platform === 'linux')(
  'a process that outlives its parent is listed, unless it is in another folder or older',
  async () => {
    const leftovers = watchForLeftovers(process.cwd());
    const parent = spawn(process.execPath, ['-e', CARELESS], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    await once(parent, 'exit');
    const pid = Number(line.toString());
    try {
      const mine = (list: string[]): string[] => list.filter((one) => one.startsWith(`${pid} `));
      expect(mine(leftovers())).toEqual([`${pid} ${process.execPath} -e setTimeout(() => {}, 60_000)`]);
      expect(mine(watchForLeftovers(tmpdir())())).toEqual([]);
      expect(mine(watchForLeftovers(process.cwd())())).toEqual([]);
    } finally {
      process.kill(pid);
    }
  },
);
