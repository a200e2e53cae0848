import type { File } from '@bowerbird/contract';
import type { Caller } from '../../foundation/http/index.ts';
import { fileView } from '../drive-view.ts';
import type { FileContext, Links, ShownNode, ThumbnailSize } from '../drive.ts';
import { memberReference, type Access } from './access.ts';

/** Options for viewing nodes with an access. */
export const accessContext = (
  access: Access,
  caller: Caller,
  links: Links,
  thumbnailSize?: string,
): FileContext => ({
  links,
  origin: caller.origin,
  rootId: access.rootId,
  thumbnailSize: sizeOf(thumbnailSize),
  ...(access.role === 'owner' ? {} : { share: memberReference(access.member) }),
});

const sizeOf = (asked: string | undefined): ThumbnailSize =>
  asked === 'SIZE_LARGE' ? 'SIZE_LARGE' : 'SIZE_SMALL';

/** File or folder as a caller with this access sees it: members don't see stars and sources of the owner. */
export function accessibleView(node: ShownNode, access: Access, context: FileContext): File {
  if (access.role === 'owner') return fileView(node, context);
  const hasNotes = node.starred_at !== null || node.origin !== null;
  const file = fileView(hasNotes ? { ...node, starred_at: null, origin: null } : node, context);
  if (access.roots.has(node.id)) file.parent_id = '';
  file.writable = access.role === 'editor';
  return file;
}
