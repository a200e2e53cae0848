import { ApiFailure, archiveApi, type File } from '@bowerbird/contract';
import { call } from '#app/api/client.ts';
import { fetchFile } from '#app/browser/fetch-file.ts';
import { contentUrl, isFolder } from '#app/node/file-facts.ts';
import { loadShareFile } from './share-data.ts';

/**
 * Downloads items of a share: a single file by its own link; several items, folders or the whole share (no
 * ids) as one zip.
 */
export async function downloadShare(
  shareId: string,
  token: string,
  ids: readonly string[],
  known: File | undefined,
): Promise<void> {
  if (ids.length === 1 && known && !isFolder(known)) {
    const url = contentUrl(await loadShareFile(call, shareId, token, known.id));
    if (url === undefined) throw new ApiFailure('file_not_found');
    fetchFile(url);
    return;
  }
  const pack = await call(archiveApi.packShare, {
    body: { share_id: shareId, pass_code_token: token, file_ids: [...ids] },
  });
  // The share was closed in the meantime.
  if (pack.url === '') throw new ApiFailure('share_not_found');
  fetchFile(pack.url);
}
