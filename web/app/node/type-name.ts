import type { File } from '@bowerbird/contract';
import type { useT } from '#app/i18n/t.ts';
import { isFolder, kindOf } from './file-facts.ts';

/** Kind of a file with its extension: "Image · JPG". */
export function typeName(file: File, t: ReturnType<typeof useT>): string {
  const kind = t.find(`node.kind.${kindOf(file)}`) ?? file.mime_type;
  const extension = isFolder(file) ? '' : file.file_extension.replace(/^\./, '').toUpperCase();
  return extension === '' ? kind : `${kind} · ${extension}`;
}
