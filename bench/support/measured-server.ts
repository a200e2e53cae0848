import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestApp } from '../../server/testing/index.ts';

/** Server in a process of its own, so that its CPU time can be told from that of the client. */
export interface MeasuredServer<Scene> {
  /** Message with which the server started. */
  readonly scene: Scene;
  /** CPU time that the server has used so far, in milliseconds. */
  cpuMs(): Promise<number>;
  /** Resolves when the process has ended. */
  close(): Promise<void>;
}

/** In the server's process: sends the scene to the process that measures, and answers it from then on. */
export function serveMeasured(app: Pick<TestApp, 'close'>, scene: object): void {
  process.on('message', (what) => {
    if (what === 'cpu') process.send!(process.cpuUsage());
    else void app.close().then(() => process.exit());
  });
  process.send!(scene);
}

/** Starts a benchmark's own file with the argument `serve`, which has to call {@link serveMeasured}. */
export async function startMeasured<Scene>(file: string): Promise<MeasuredServer<Scene>> {
  const server = fork(file, ['serve']);
  const [scene] = (await once(server, 'message')) as [Scene];
  return {
    scene,
    async cpuMs() {
      server.send('cpu');
      const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage];
      return (user + system) / 1000;
    },
    async close() {
      server.send('close');
      await once(server, 'exit');
    },
  };
}
