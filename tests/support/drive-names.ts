import type { APIRequestContext } from '@playwright/test';
import { get } from './people.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
}

async function listed(request: APIRequestContext, parent: string, trashed: boolean): Promise<Listed[]> {
  const filters = encodeURIComponent(JSON.stringify({ trashed: { eq: trashed } }));
  const at = trashed ? '*' : parent;
  const { files } = await get<{ files: Listed[] }>(
    request,
    `/drive/v1/files?parent_id=${at}&limit=1000&order=name_asc&filters=${filters}`,
  );
  return files;
}

/** Returns the names of what is in a folder, or in the trash. */
export async function names(request: APIRequestContext, parent = '', trashed = false): Promise<string[]> {
  return (await listed(request, parent, trashed)).map(({ name }) => name);
}

/** Returns the id of an item in a folder. */
export async function idOf(request: APIRequestContext, name: string, parent = ''): Promise<string> {
  return (await listed(request, parent, false)).find((file) => file.name === name)!.id;
}
