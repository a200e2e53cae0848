export {
  createBatches,
  type Batches,
  type ExportedCode,
  type ListedBatch,
  type NewBatch,
} from './batch-service.ts';
export { mountCodes } from './code-routes.ts';
export { createCodes, type Codes, type Redeemed } from './code-service.ts';
export type { Batch } from './code.ts';
