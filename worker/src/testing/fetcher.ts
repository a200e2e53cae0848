import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  FETCHER_FLAGS,
  type FetcherSettings,
  type FetchCommand,
  type FetchSpec,
  type FetchEvent,
} from '@bowerbird/contract';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import { hashOf } from './torrents.ts';

type Last = Extract<FetchEvent, { type: 'settled' | 'failed' | 'stopped' }>;

/** A fetcher as the server uses it: a separate process at the other end of a channel. */
export interface Fetcher {
  readonly pid: number;
  send(command: FetchCommand): void;
  /** All events of an id so far. */
  events(id: string): FetchEvent[];
  /** Waits for an event of an id; earlier events count. */
  wait<W extends FetchEvent['type']>(
    id: string,
    event: W | ((event: FetchEvent) => boolean),
  ): Promise<Extract<FetchEvent, { type: W }>>;
  /** The last event of an id. */
  last(id: string): Promise<Last>;
  /** Kills the process, as a power cut would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** The bundled helper processes, as users run them. */
const MAIN = join(import.meta.dirname, '../../../.cache/worker/main.js');

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
  // Creates the storage, as the server does before it fetches anything.
  await (await openBlobStore(whole.storage)).close();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = fork(MAIN, ['fetch'], {
    env: { PATH, NODE_COMPILE_CACHE, FETCHER: JSON.stringify(whole) },
    execArgv: [...FETCHER_FLAGS],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.setMaxListeners(0);
  const received: FetchEvent[] = [];
  const listeners = new Set<() => void>();
  child.on('message', (event: FetchEvent) => {
    received.push(event);
    for (const listener of listeners) listener();
  });
  const isOf = (event: FetchEvent, id: string): boolean => 'id' in event && event.id === id;

  function first(found: (event: FetchEvent) => boolean): Promise<FetchEvent> {
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        const event = received.find(found);
        if (event) resolve(event);
        return event !== undefined;
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

  await first(({ type }) => type === 'ready');
  return {
    pid: child.pid!,
    send: (command) => void child.send(command),
    events: (id) => received.filter((event) => isOf(event, id)),
    wait: (id, what) =>
      first(
        (event) => isOf(event, id) && (typeof what === 'function' ? what(event) : event.type === what),
      ) as Promise<never>,
    last: (id) =>
      first(
        (event) => isOf(event, id) && ['settled', 'failed', 'stopped'].includes(event.type),
      ) as Promise<Last>,
    kill: () => end(() => void child.kill('SIGKILL')),
    close: () => end(() => child.disconnect()),
  };
}

/** A command that fetches all of a source, whatever its size. */
export const fetchCommand = (
  id: string,
  spec: FetchSpec,
  more: Partial<Extract<FetchCommand, { type: 'fetch' }>> = {},
): FetchCommand => ({
  type: 'fetch',
  id,
  spec,
  generation: 1,
  wanted: null,
  kept: [],
  resume: null,
  maxBytes: 2 ** 40,
  ...more,
});

export const keptOf = (events: readonly FetchEvent[]): Extract<FetchEvent, { type: 'kept' }>[] =>
  events.filter((event) => event.type === 'kept');

export async function hashUnder(storage: BlobStore, key: string): Promise<string> {
  const { stream } = await storage.open(key);
  return hashOf(Buffer.concat(await Array.fromAsync(stream)));
}
