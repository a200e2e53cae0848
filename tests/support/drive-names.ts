import type { APIRequestContext } from '@playwright/test';
import { get } from './people.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
}

/** Returns the names of what is in a folder, or in the trash. */
export async function names(request: APIRequestContext, parent = '', trashed = false): Promise<string[]> {
  const filters = encodeURIComponent(JSON.stringify({ trashed: { eq: trashed } }));
  const at = trashed ? '*' : parent;
  const { files } = await get<{ files: Listed[] }>(
    request,
    `/drive/v1/files?parent_id=${at}&limit=1000&order=name_asc&filters=${filters}`,
  );
  return files.map((file) => file.name);
}
