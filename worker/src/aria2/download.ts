import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorId } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import type { ProxyAccess } from './proxy.ts';
import { Aria2Refused, type Aria2 } from './rpc.ts';

/** The status of a download as reported by aria2. Numbers are text. */
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

/** A download in aria2 with an id derived from its name, so that a later process finds it again. */
export interface Aria2Download {
  /** Starts the download, continuing from the files on disk. */
  begin(method: 'addUri' | 'addTorrent', parameters: readonly unknown[], options: Options): Promise<void>;
  change(options: Options): Promise<void>;
  /** Polls once a second until `isOver` or the end of the download. Rejects with {@link FetchFailed} if it fails. */
  watch(
    seen: (status: Status) => void | Promise<void>,
    isOver: (status: Status) => boolean,
    signal: AbortSignal,
  ): Promise<Status>;
  /** Returns whether aria2 has completed the download and was not told to forget it since, by {@link end}. */
  isComplete(): Promise<boolean>;
  /** Ends the download; its files remain on disk. */
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
/** With more files, only totals are polled: the whole list would be megabytes per second. */
const MOST_FILES = 1000;
const ENDED = new Set<Status['status']>(['complete', 'error', 'removed']);
const MOST_TRIES = 24;
const PATIENT_TRIES = 10;
const TRY_PAUSE_MS = 60;

/** Error ids by aria2's exit codes. */
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

export function createDownload(
  aria2: Aria2,
  name: string,
  fileCount: number,
  access: ProxyAccess,
): Aria2Download {
  const gid = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const keys = fileCount > MOST_FILES ? KEYS : [...KEYS, 'files'];

  const ask = (): Promise<Status> => aria2.call('tellStatus', gid, keys);

  async function isComplete(): Promise<boolean> {
    try {
      return (await ask()).status === 'complete';
    } catch (error) {
      ignoreRefusal(error);
      return false;
    }
  }

  /** Returns whether aria2 still has the download, and removes its result if it has ended. */
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

  /** Ends the download gracefully, so that aria2 saves its progress, and by force after some tries. */
  async function end(): Promise<void> {
    await aria2.call('remove', gid).catch(ignoreRefusal);
    for (let tries = 0; tries < MOST_TRIES && (await isThere()); tries += 1) {
      if (tries === PATIENT_TRIES) await aria2.call('forceRemove', gid).catch(ignoreRefusal);
      await sleep(TRY_PAUSE_MS);
    }
  }

  function failureOf({ status, errorCode = '', errorMessage = '' }: Status): FetchFailed | undefined {
    if (access.wasForbidden) return new FetchFailed('link_forbidden', { final: true });
    if (status !== 'error' && status !== 'removed') return undefined;
    const [error, final] = ERRORS[errorCode] ?? ['source_failed', false];
    return new FetchFailed(error, { final, cause: new Aria2Refused(`${errorCode} ${errorMessage}`) });
  }

  return {
    isComplete,
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

/** Ignores the error for a download that aria2 does not know any more or is ending. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Aria2Refused)) throw error;
}
