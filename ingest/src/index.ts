/** Hashes content block by block as it arrives in the storage, in threads separate from the one that receives it. */
export type { Checksums } from './checksums.ts';
export { checksumsOf, digestsOf, identifyKept } from './content-assembly.ts';
export { assembleBlocks, type BlockTable, type Content, type HashedPart } from './content-hash.ts';
export { DIGEST_BYTES, digestBlocks } from './digest-blocks.ts';
export { createDigests, type Digests, type SummedFile } from './digest-pool.ts';
export { landPart, type Hashing, type LandedPart, type Landing } from './landing.ts';
export { identifySmall, SMALL_FILE } from './small-content.ts';
export { createPieceMemory, type PieceMemory } from './piece-memory.ts';
