import type { File } from '@bowerbird/contract';
import { kindOf } from '../file-facts.ts';

/** Viewer for a file; `none` is its tile and a download button. */
export type ViewerKind = 'image' | 'video' | 'audio' | 'pdf' | 'markdown' | 'text' | 'table' | 'none';

/** Formats that every current browser can show; others are shown by the server's thumbnail. */
const DRAWN = new Set(['jpg', 'jpeg', 'jpe', 'jfif', 'png', 'gif', 'webp', 'avif', 'bmp', 'svg', 'ico']);
const TABLES_OF_TEXT = new Set(['csv', 'tsv']);
/**
 * Largest size in bytes up to which files without an extension (`LICENSE`, `Makefile`) are read to detect text.
 */
const NAMELESS_TEXT = 2 ** 20;

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

const hasExtension = (name: string): boolean => name.lastIndexOf('.') > 0;

/** 3D models; browsers show none of them. */
const MODELS = new Set(
  'stl obj gltf glb 3mf fbx step stp iges igs blend dae ply usdz usd 3ds skp dwg dxf f3d max c4d'.split(' '),
);

/** Kind of a file without a viewer that deserves an explanation. */
export function unshownKind(
  file: Pick<File, 'kind' | 'name' | 'mime_type'>,
): 'office' | 'model' | 'photo' | 'other' {
  if (MODELS.has(extensionOf(file.name))) return 'model';
  const kind = kindOf(file);
  if (kind === 'image') return 'photo';
  return kind === 'document' || kind === 'sheet' || kind === 'slides' ? 'office' : 'other';
}

export function isDrawn(file: Pick<File, 'name'>): boolean {
  return DRAWN.has(extensionOf(file.name));
}

export function viewerKind(
  file: Pick<File, 'kind' | 'name' | 'mime_type' | 'thumbnail_link' | 'size'>,
): ViewerKind {
  const extension = extensionOf(file.name);
  switch (kindOf(file)) {
    case 'image':
      return isDrawn(file) || file.thumbnail_link !== '' ? 'image' : 'none';
    case 'video':
      return 'video';
    case 'audio':
      return extension === 'mid' || extension === 'midi' ? 'none' : 'audio';
    case 'pdf':
      return 'pdf';
    case 'code':
      return 'text';
    case 'text':
      return extension === 'md' || extension === 'markdown' ? 'markdown' : 'text';
    case 'sheet':
      return TABLES_OF_TEXT.has(extension) ? 'table' : 'none';
    case 'other':
      return hasExtension(file.name) || Number(file.size) > NAMELESS_TEXT ? 'none' : 'text';
    default:
      return 'none';
  }
}
