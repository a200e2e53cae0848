import type { ServerResponse } from 'node:http';
import type { LiveTopic } from '@bowerbird/contract';
import type { Member } from '../foundation/http/index.ts';
import { eventText } from './live.ts';

/** One open stream of events. What a slow reader can't take yet is merged, so it never waits for much. */
export interface LiveStream {
  readonly viewer: Pick<Member, 'account' | 'session'>;
  readonly address: string;
  /** Time of the process's own clock from which the client has to identify itself again. */
  readonly endsAt: number;
  tell(topics: Iterable<LiveTopic>, id: string): void;
  /** Reports that anything may have changed. The client may wait for up to `withinMs`, because all others are told too. */
  resync(id: string, withinMs: number): void;
  /** Keeps the connection open; ends it if the client hasn't read anything since the last beat. */
  beat(): void;
  /** Ends the stream; `isOver` if the client must not open another one with the same session. */
  end(isOver: boolean): void;
}

const BEAT = eventText('beat', {});

/** Writes events to a response, whose head was sent. */
export function createLiveStream(
  response: ServerResponse,
  identity: Pick<LiveStream, 'viewer' | 'address' | 'endsAt'>,
): LiveStream {
  /** Event to write once the client has read enough. */
  let waiting: { topics: Set<LiveTopic> | undefined; id: string } | undefined;
  let isStalled = false;

  function tellWaiting(): void {
    isStalled = false;
    const next = waiting;
    waiting = undefined;
    if (next?.topics) response.write(eventText('change', { topics: [...next.topics] }, next.id));
    else if (next) response.write(eventText('resync', {}, next.id));
  }

  /** True if the client reads too slowly; `tellWaiting` then runs once it has caught up. */
  function isBehind(): boolean {
    if (!response.writableNeedDrain) return false;
    if (response.listenerCount('drain') === 0) response.once('drain', tellWaiting);
    return true;
  }

  return {
    ...identity,
    tell(topics, id) {
      if (!isBehind()) response.write(eventText('change', { topics: [...topics] }, id));
      else if (!waiting) waiting = { topics: new Set(topics), id };
      else {
        waiting.id = id;
        for (const topic of topics) waiting.topics?.add(topic);
      }
    },

    resync(id, withinMs) {
      if (isBehind()) waiting = { topics: undefined, id };
      else response.write(eventText('resync', withinMs > 0 ? { within_ms: withinMs } : {}, id));
    },

    beat() {
      if (!isBehind()) response.write(BEAT);
      else if (isStalled) response.destroy();
      else isStalled = true;
    },

    end(isOver) {
      response.end(isOver ? eventText('end', {}) : undefined);
    },
  };
}
