import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  FETCHER_FLAGS,
  type FetcherSettings,
  type FetchOrder,
  type FetchSpec,
  type FetchWord,
} from '@bowerbird/contract';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import { hashOf } from './torrents.ts';

type Last = Extract<FetchWord, { word: 'settled' | 'failed' | 'stopped' }>;

/** A fetcher as the server has it: a process of its own, at the other end of a channel. */
export interface Fetcher {
  readonly pid: number;
  send(order: FetchOrder): void;
  /** What was said about an id so far. */
  words(id: string): FetchWord[];
  /** Waits for a word about an id that was said, or will be. */
  wait<W extends FetchWord['word']>(
    id: string,
    word: W | ((word: FetchWord) => boolean),
  ): Promise<Extract<FetchWord, { word: W }>>;
  /** The word with which an id ends. */
  last(id: string): Promise<Last>;
  /** As a power cut does it. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '..', 'main.ts');

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export async function startFetcher(
  settings: Pick<FetcherSettings, 'storage' | 'scratch'> & Partial<FetcherSettings>,
): Promise<Fetcher> {
  const whole: FetcherSettings = {
    allow: LOOPBACK,
    diskReserve: 0,
    rate: null,
    seed: { ratio: 0, minutes: 0 },
    aria2: null,
    ...settings,
  };
  // As the server does before it has anything fetched.
  await (await openBlobStore(whole.storage)).close();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = fork(MAIN, ['fetch'], {
    env: { PATH, NODE_COMPILE_CACHE, FETCHER: JSON.stringify(whole) },
    execArgv: [...FETCHER_FLAGS],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.setMaxListeners(0);
  const said: FetchWord[] = [];
  const listeners = new Set<() => void>();
  child.on('message', (word: FetchWord) => {
    said.push(word);
    for (const listener of listeners) listener();
  });
  const isOf = (word: FetchWord, id: string): boolean => 'id' in word && word.id === id;

  function first(found: (word: FetchWord) => boolean): Promise<FetchWord> {
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        const word = said.find(found);
        if (word) resolve(word);
        return word !== undefined;
      };
      if (look()) return;
      const end = (): void => {
        listeners.delete(listen);
        child.off('exit', died);
      };
      const listen = (): void => void (look() && end());
      const died = (code: number | null, signal: string | null): void => {
        end();
        reject(new Error(`The fetcher ended: ${code ?? signal}`));
      };
      listeners.add(listen);
      child.once('exit', died);
    });
  }

  async function end(how: () => void): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    how();
    await exit;
  }

  await first(({ word }) => word === 'ready');
  return {
    pid: child.pid!,
    send: (order) => void child.send(order),
    words: (id) => said.filter((word) => isOf(word, id)),
    wait: (id, what) =>
      first(
        (word) => isOf(word, id) && (typeof what === 'function' ? what(word) : word.word === what),
      ) as Promise<never>,
    last: (id) =>
      first(
        (word) => isOf(word, id) && ['settled', 'failed', 'stopped'].includes(word.word),
      ) as Promise<Last>,
    kill: () => end(() => void child.kill('SIGKILL')),
    close: () => end(() => child.disconnect()),
  };
}

/** An order to fetch all of a source, whatever its size. */
export const fetchOrder = (
  id: string,
  spec: FetchSpec,
  more: Partial<Extract<FetchOrder, { order: 'fetch' }>> = {},
): FetchOrder => ({
  order: 'fetch',
  id,
  spec,
  generation: 1,
  wanted: null,
  kept: [],
  resume: null,
  maxBytes: 2 ** 40,
  ...more,
});

export const keptOf = (words: readonly FetchWord[]): Extract<FetchWord, { word: 'kept' }>[] =>
  words.filter((word) => word.word === 'kept');

export async function hashUnder(storage: BlobStore, key: string): Promise<string> {
  const { stream } = await storage.open(key);
  return hashOf(Buffer.concat(await Array.fromAsync(stream)));
}
