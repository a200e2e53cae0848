export { createTreeCopies, type TreeCopies } from './tree-copy-service.ts';
export { createTreeCopyStore, type SourceNode, type TreeCopyStore } from './tree-copy-store.ts';
export { TreeCopyCancelled, type TreeCopy, type TreeCopyResult } from './tree-copy.ts';
export { createWalk } from './walk-service.ts';
