// Storage for files that another app shared, between the service worker that receives them and the page that
// uploads them.
const STORE = 'shared-files';
const NAME = 'x-name';
const MODIFIED = 'x-modified';

/** Stores files for the next page of the drive, and replaces those of an earlier share. */
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

/** Returns the stored files, once. */
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
