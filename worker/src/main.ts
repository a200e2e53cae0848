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
// However the parent ends, the channel closes. From here on, because a part may take long to start: a storage that doesn't
// answer must not keep a process that nobody waits for any more.
process.on('disconnect', () => process.exit());
if (!process.connected) process.exit();
await (await part()).start();
