/** How bytes become content: hashed block by block while they land in the storage, in threads beside whoever receives them. */
export type { Checksums } from './checksums.ts';
export { checksumsOf, digestsOf, identifyKept } from './content-assembly.ts';
export { assembleBlocks, type BlockTable, type Content, type HashedPart } from './content-hash.ts';
export { DIGEST_BYTES, digestBlocks } from './digest-blocks.ts';
export { createDigests, type Digests, type SummedFile } from './digest-pool.ts';
export { landPart, type Hashing, type LandedPart, type Landing } from './landing.ts';
export { createPieceMemory, type PieceMemory } from './piece-memory.ts';
