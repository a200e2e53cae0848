// Files that another app shared wait here, between the worker that got them and the page that keeps them.
const STORE = 'shared-files';
const NAME = 'x-name';
const MODIFIED = 'x-modified';

/** Puts files aside for the next page of the drive; the last to share is the one that is kept. */
export async function leaveFiles(files: readonly File[]): Promise<void> {
  await caches.delete(STORE);
  const store = await caches.open(STORE);
  for (const [at, file] of files.entries()) {
    const headers = {
      'content-type': file.type,
      [NAME]: encodeURIComponent(file.name),
      [MODIFIED]: String(file.lastModified),
    };
    await store.put(`/shared-files/${at}`, new Response(file, { headers }));
  }
}

/** What was put aside, once. */
export async function takeLeftFiles(): Promise<File[]> {
  if (!('caches' in globalThis)) return [];
  const store = await caches.open(STORE);
  const files: File[] = [];
  for (const request of await store.keys()) {
    const kept = await store.match(request);
    if (kept) files.push(await fileOf(kept));
  }
  await caches.delete(STORE);
  return files;
}

async function fileOf(kept: Response): Promise<File> {
  const { headers } = kept;
  return new File([await kept.blob()], decodeURIComponent(headers.get(NAME) ?? ''), {
    type: headers.get('content-type') ?? '',
    lastModified: Number(headers.get(MODIFIED)),
  });
}
