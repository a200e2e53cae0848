import { flushCompileCache } from 'node:module';

// A helper process of the server for work that may crash on a stranger's bytes. Its argument selects the part to run;
// its parent exchanges messages with it over the IPC channel.

const parts: Readonly<Record<string, () => Promise<{ start(): Promise<void> }>>> = {
  thumbnails: () => import('./thumbnails/process.ts'),
  fetch: () => import('./fetcher/process.ts'),
  pdf: () => import('./pdf/process.ts'),
  unpack: () => import('./unpacking/process.ts'),
};

const part = parts[process.argv[2] ?? ''];
if (!part || !process.send)
  throw new Error('The worker must be started by the server, with an IPC channel and a part');
/** `process.exit` may wait forever for a thread that compiles code (https://github.com/nodejs/node/issues/54918). */
const end = (): void => void process.kill(process.pid, 'SIGKILL');
// However the parent ends, the channel closes. Registered before the part starts, which may take long: a storage that
// does not answer must not keep a process alive without a parent.
process.on('disconnect', end);
if (!process.connected) end();
await (await part()).start();
// Otherwise Node writes it when the process exits, which this one never does.
flushCompileCache();
