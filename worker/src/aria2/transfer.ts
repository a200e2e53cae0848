import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorId } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import type { Way } from './proxy.ts';
import { Aria2Refused, type Aria2 } from './rpc.ts';

/** What aria2 says of a download. Numbers are text. */
export interface Status {
  readonly status: 'active' | 'waiting' | 'paused' | 'error' | 'complete' | 'removed';
  readonly completedLength: string;
  readonly downloadSpeed: string;
  readonly connections: string;
  readonly seeder?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly files?: readonly {
    readonly index: string;
    readonly length: string;
    readonly completedLength: string;
  }[];
}

/** A download of aria2 that is known by what it is for: whoever comes next finds it again. */
export interface Transfer {
  /** Begins anew where an earlier process left off; `add` says what. */
  begin(method: 'addUri' | 'addTorrent', parameters: readonly unknown[], options: Options): Promise<void>;
  change(options: Options): Promise<void>;
  /** Asks once a second, until `isOver` or it has ended; rejects with {@link FetchFailed} where it has failed. */
  watch(
    seen: (status: Status) => void | Promise<void>,
    isOver: (status: Status) => boolean,
    signal: AbortSignal,
  ): Promise<Status>;
  /** Ends it; what it has on the disk stays. */
  end(): Promise<void>;
}

export type Options = Readonly<Record<string, string | readonly string[]>>;

const POLL_MS = 1000;
const KEYS = [
  'status',
  'completedLength',
  'downloadSpeed',
  'connections',
  'seeder',
  'errorCode',
  'errorMessage',
];
/** With more files than these only sums are asked for: all of them would be megabytes a second. */
const MOST_FILES = 1000;
const ENDED = new Set<Status['status']>(['complete', 'error', 'removed']);
const MOST_TRIES = 24;
const PATIENT_TRIES = 10;
const TRY_PAUSE_MS = 60;

/** What aria2's numbers mean. */
const ERRORS: Readonly<Record<string, readonly [error: ErrorId, final: boolean]>> = {
  2: ['source_timed_out', false],
  3: ['source_not_found', true],
  4: ['source_not_found', true],
  6: ['source_unreachable', false],
  7: ['torrent_no_peers', false],
  9: ['disk_full', false],
  19: ['source_unreachable', false],
  24: ['source_denied', true],
  25: ['torrent_invalid', true],
  26: ['torrent_invalid', true],
};

export function createTransfer(aria2: Aria2, name: string, fileCount: number, way: Way): Transfer {
  const gid = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const keys = fileCount > MOST_FILES ? KEYS : [...KEYS, 'files'];

  const ask = (): Promise<Status> => aria2.call('tellStatus', gid, keys);

  /** Whether aria2 has anything of it still, after what is over was put away. */
  async function isThere(): Promise<boolean> {
    try {
      const { status } = await ask();
      if (ENDED.has(status)) await aria2.call('removeDownloadResult', gid);
      return true;
    } catch (error) {
      ignoreRefusal(error);
      return false;
    }
  }

  /** Given time, it writes down what it has. */
  async function end(): Promise<void> {
    await aria2.call('remove', gid).catch(ignoreRefusal);
    for (let tries = 0; tries < MOST_TRIES && (await isThere()); tries += 1) {
      if (tries === PATIENT_TRIES) await aria2.call('forceRemove', gid).catch(ignoreRefusal);
      await sleep(TRY_PAUSE_MS);
    }
  }

  function failureOf({ status, errorCode = '', errorMessage = '' }: Status): FetchFailed | undefined {
    if (way.wasForbidden) return new FetchFailed('link_forbidden', { final: true });
    if (status !== 'error' && status !== 'removed') return undefined;
    const [error, final] = ERRORS[errorCode] ?? ['source_failed', false];
    return new FetchFailed(error, { final, cause: new Aria2Refused(`${errorCode} ${errorMessage}`) });
  }

  return {
    end,
    async begin(method, parameters, options) {
      await end();
      try {
        await aria2.call(method, ...parameters, { ...options, gid });
      } catch (error) {
        if (error instanceof Aria2Refused) throw new FetchFailed('source_failed', { cause: error });
        throw error;
      }
    },
    async change(options) {
      await aria2.call('changeOption', gid, options).catch(ignoreRefusal);
    },
    async watch(seen, isOver, signal) {
      for (;;) {
        const status = await ask();
        signal.throwIfAborted();
        const failure = failureOf(status);
        if (failure) throw failure;
        await seen(status);
        if (status.status === 'complete' || isOver(status)) return status;
        await sleep(POLL_MS, undefined, { signal });
      }
    },
  };
}

/** It doesn't know the download any more, or it is ending. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Aria2Refused)) throw error;
}
