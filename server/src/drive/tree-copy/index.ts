export {
  createTreeCopies,
  TreeCopyCancelled,
  type TreeCopies,
  type TreeCopy,
  type TreeCopyResult,
} from './tree-copy-service.ts';
export { createTreeCopyStore, type TreeCopyStore } from './tree-copy-store.ts';
export { createWalk } from './walk-service.ts';
