export { demoTree, type Tree } from './demo-tree.ts';
export { signedPut } from './signed-put.ts';
