import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { BlobStore, ByteRange, Staging } from '../blob-store.ts';

/** A place for bytes that outlives the stores opened on it. */
export interface Ground {
  open(): Promise<BlobStore>;
  /**
   * Opens a store on which only this many of the engine's own steps (system calls, requests) succeed; all later ones
   * fail, as if the process had been killed. `died` returns whether that has happened.
   */
  openDying(dieAfter: number): Promise<{ store: BlobStore; died: () => boolean }>;
  /** Makes the storage disappear from stores that have it open; the returned function brings it back. */
  takeAway(): Promise<() => Promise<void>>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

/** Shared by the tests of one engine: a ground, a store on it, and the steps that tests repeat. */
export interface Scene {
  ground: Ground;
  store: BlobStore;
  freshId(): string;
  freshKey(): string;
  stageParts(bodies: readonly Uint8Array[], uploadId?: string): Promise<Staging>;
  /** Keeps these parts as a new blob and returns its key. */
  keepNew(bodies: readonly Uint8Array[]): Promise<string>;
  read(key: string, range?: ByteRange): Promise<Buffer>;
  stagedIds(of?: BlobStore): Promise<string[]>;
}

/** Ground and store are set once the tests run. */
export function createScene(): Scene {
  let count = 0;
  const scene: Omit<Scene, 'ground' | 'store'> & Partial<Scene> = {
    freshId: () => `up-${process.pid}-${count++}`,
    freshKey: () => `blob/${randomBytes(1).toString('hex')}/${randomBytes(16).toString('hex')}`,
    async stageParts(bodies, uploadId = scene.freshId()) {
      const staging = await scene.store!.stage(uploadId);
      for (const [index, body] of bodies.entries()) await staging.writePart(index + 1, flow(body));
      return staging;
    },
    async keepNew(bodies) {
      const key = scene.freshKey();
      await (await scene.stageParts(bodies)).keep(key, choicesOf(bodies));
      return key;
    },
    read: async (key, range) => buffer((await scene.store!.open(key, range)).stream),
    stagedIds: async (of = scene.store!) =>
      (await Array.fromAsync(of.staged())).map(({ uploadId }) => uploadId),
  };
  return scene as Scene;
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export const choicesOf = (bodies: readonly Uint8Array[]) =>
  bodies.map((body, index) => ({ number: index + 1, size: body.byteLength }));

export const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

export async function* flow(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

export async function* slowly(body: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < body.length; at += 65_536) {
    await turn();
    yield body.subarray(at, at + 65_536);
  }
}

export async function* gated(gate: Promise<void>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('before');
  await gate;
  yield Buffer.from('after');
}
