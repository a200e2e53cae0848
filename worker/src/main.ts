// A process beside the server for what may crash on a stranger's bytes. Its parent says which part it plays, and talks
// to it over the channel between them.

const parts: Readonly<Record<string, () => Promise<{ start(): Promise<void> }>>> = {
  thumbnails: () => import('./thumbnails/process.ts'),
  fetch: () => import('./fetcher/process.ts'),
  unpack: () => import('./unpacking/process.ts'),
};

const part = parts[process.argv[2] ?? ''];
if (!part || !process.send)
  throw new Error('The worker is started by the server, with a channel and its part');
await (await part()).start();
