import { LIMITS, type File } from '@bowerbird/contract';
import { viewerKind } from '#app/node/preview/viewer-kind.ts';

/** Returns true if a file can be edited as text: the editor refuses it only if its content turns out not to be text. */
export function isEditable(file: File): boolean {
  const kind = viewerKind(file);
  return (kind === 'text' || kind === 'markdown') && Number(file.size) <= LIMITS.editBytes;
}
