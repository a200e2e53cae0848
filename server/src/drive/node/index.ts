export { createInventory, type Held } from './inventory-service.ts';
export {
  contextOf,
  mountLists,
  type AnnotationsOf,
  type PendingFile,
  type TrashRules,
} from './list-routes.ts';
export { createLists, type ListPage, type Lists } from './list-service.ts';
export { createListStore } from './list-store.ts';
export { admit, checkName, freeNames, nameColumns } from './name-service.ts';
export { createNodes, type NewFile, type Nodes } from './node-service.ts';
export { mountSelecting } from './selecting-routes.ts';
export { createSelecting } from './selecting-service.ts';
