import { categoryOf, type File, type FileCategory } from '@bowerbird/contract';

export const isFolder = (file: { readonly kind: string }): boolean => file.kind === 'drive#folder';

/** Bytes of a file, or of everything in a folder; `undefined` if the folder's size is not known. */
export function bytesOf(file: {
  readonly kind: string;
  readonly size: string;
  readonly folder_size?: string | undefined;
}): number | undefined {
  const bytes = isFolder(file) ? file.folder_size : file.size;
  return bytes === undefined ? undefined : Number(bytes);
}

export function kindOf(file: Pick<File, 'kind' | 'name' | 'mime_type'>): FileCategory {
  return isFolder(file) ? 'folder' : categoryOf(file.name, file.mime_type);
}

/** Address of a file's bytes, or `undefined` if the listing has none. */
export function contentUrl(file: File): string | undefined {
  return file.links['application/octet-stream']?.url || file.web_content_link || undefined;
}

/** Duration of a video or a song in seconds, if the server has determined it. */
export function secondsOf(file: File): number | undefined {
  const seconds = Number(file.medias[0]?.video?.['duration'] ?? file.params['duration']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
