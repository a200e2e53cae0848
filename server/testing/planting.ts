import { createHash } from 'node:crypto';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs, NewBlob, Nodes } from '../src/drive/index.ts';
import type { Database } from '../src/foundation/database/index.ts';
import type { Ids } from '../src/foundation/index.ts';
import type { Quota } from '../src/membership/index.ts';

/** Folders by name, and files by name with their content. */
export interface Tree {
  readonly [name: string]: Tree | string | Uint8Array;
}

export interface Ground {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly ids: Ids;
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly quota: Quota;
}

/**
 * Adds a tree to a drive without uploading it, charged like any other files; returns the ids by path
 * (`photos/sea.jpg`).
 */
export async function plant(ground: Ground, account: string, tree: Tree): Promise<Record<string, string>> {
  const { database, ids, nodes, blobs, quota } = ground;
  const kept = await keepAll(ground, [...contentsOf(tree)]);
  const planted: Record<string, string> = {};
  await database.transaction(async (tx) => {
    await nodes.lock(tx, account);
    for (const blob of kept.values()) await blobs.ensure(tx, blob);
    let total = 0;
    const grow = async (branch: Tree, parent: string, above: string): Promise<void> => {
      for (const [name, content] of Object.entries(branch)) {
        if (isContent(content)) {
          const { hash, size } = kept.get(keyOf(content))!;
          planted[above + name] = (
            await nodes.addFile(tx, { account, parent, name, blob: hash, size, conflict: 'rename' })
          ).id;
          total += size;
        } else {
          planted[above + name] = (
            await nodes.addFolder(tx, { account, parent, name, conflict: 'rename' })
          ).id;
          await grow(content, planted[above + name]!, `${above}${name}/`);
        }
      }
    };
    await grow(tree, account, '');
    await quota.charge(tx, account, total, { reason: 'upload', reference: ids.next() });
  });
  return planted;
}

function isContent(content: Tree | string | Uint8Array): content is string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array;
}

function* contentsOf(tree: Tree): Generator<string | Uint8Array> {
  for (const content of Object.values(tree)) {
    if (isContent(content)) yield content;
    else yield* contentsOf(content);
  }
}

const keyOf = (content: string | Uint8Array): string => sum('sha256', Buffer.from(content)).toString('hex');
const sum = (algorithm: string, data: Uint8Array): Buffer => createHash(algorithm).update(data).digest();

/** Stores each content once, however many files have it. All are shorter than a block. */
async function keepAll(
  { storage, ids }: Ground,
  contents: readonly (string | Uint8Array)[],
): Promise<Map<string, NewBlob>> {
  const kept = new Map<string, NewBlob>();
  for (const [key, content] of new Map(contents.map((one) => [keyOf(one), one]))) {
    const bytes = Buffer.from(content);
    const blocks = (algorithm: string): Buffer =>
      sum(algorithm, bytes.length === 0 ? bytes : sum(algorithm, bytes));
    const hash = blocks('sha256').toString('hex');
    const upload = ids.next().toLowerCase();
    const storeKey = `blob/${hash.slice(0, 2)}/${hash}-${upload}`;
    const staging = await storage.stage(upload);
    await staging.writePart(
      1,
      (async function* () {
        yield bytes;
      })(),
    );
    await staging.keep(storeKey, [{ number: 1, size: bytes.length }]);
    kept.set(key, {
      hash,
      size: bytes.length,
      gcid: blocks('sha1').toString('hex').toUpperCase(),
      cid: sum('sha1', bytes).toString('hex').toUpperCase(),
      storeKey,
    });
  }
  return kept;
}
