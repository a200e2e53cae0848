import type { LiveTopic } from '@bowerbird/contract';
import { openChannel, type Changes } from '../foundation/database/index.ts';
import type { Live } from './live-service.ts';
import { changesOf, changeTexts } from './live.ts';

/** The other servers of the installation, which have readers of their own. */
export interface LiveRelay {
  /** Passes on what was committed here. */
  add(changes: Changes): void;
  /** Opens the connection to the others, once this process answers requests. */
  open(): void;
  /** Passes on what still waits, also without a connection. */
  close(): Promise<void>;
}

/** Passes texts on to the other server processes of this machine. */
export type TellOthers = (texts: readonly string[]) => void;

const GATHERED_MS = 80;
const CHANNEL = 'bowerbird_live';

/**
 * Gathers changes for a moment, so that many commits become one message. Servers on PostgreSQL hear from each other
 * through the database, after the commit: `NOTIFY` within the transactions would make all of their commits wait for one
 * another. A process on SQLite has others beside it only on the same machine.
 */
export function createLiveRelay({
  url,
  send,
  tellOthers,
  live,
}: {
  /** Address of PostgreSQL; undefined on SQLite. */
  url: string | undefined;
  /** Sends texts to a channel of PostgreSQL over any connection. */
  send: (channel: string, texts: readonly string[]) => Promise<void>;
  /** Undefined if this is the only process of its machine. */
  tellOthers: TellOthers | undefined;
  live: Pick<Live, 'heard' | 'missed'>;
}): LiveRelay {
  const waiting = new Map<string, Set<LiveTopic>>();
  let timer: NodeJS.Timeout | undefined;
  let pass: TellOthers | undefined = url === undefined ? tellOthers : undefined;
  let close = async (): Promise<void> => {};

  function take(): string[] {
    timer = undefined;
    const texts = changeTexts(waiting);
    waiting.clear();
    return texts;
  }

  return {
    add(changes) {
      if (url === undefined && !tellOthers) return;
      for (const [account, topics] of changes) {
        const known = waiting.get(account);
        if (!known) waiting.set(account, new Set(topics));
        else for (const topic of topics) known.add(topic);
      }
      const through = pass;
      if (through) timer ??= setTimeout(() => through(take()), GATHERED_MS).unref();
    },

    open() {
      if (url === undefined) return;
      const channel = openChannel(url, CHANNEL, {
        hear: (text) => live.heard(changesOf(text)),
        missed: () => live.missed(),
      });
      pass = channel.send;
      close = channel.close;
    },

    async close() {
      clearTimeout(timer);
      const texts = take();
      if (texts.length > 0) {
        if (pass) pass(texts);
        else await send(CHANNEL, texts);
      }
      await close();
    },
  };
}
