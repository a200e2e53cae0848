import type { ServerResponse } from 'node:http';
import { ApiFailure, LIVE_BEAT_MS, type LiveTopic } from '@bowerbird/contract';
import type { Changes } from '../foundation/database/index.ts';
import type { Member } from '../foundation/http/index.ts';
import { createChangeMemory, type Position } from './change-memory.ts';
import { createLiveStream, type LiveStream } from './live-stream.ts';

/** Limits of one server process. */
export interface LiveLimits {
  readonly ofAccount: number;
  readonly ofAddress: number;
  readonly ofServer: number;
}

export interface Live {
  /**
   * Writes changes to a response, whose head was sent, until it closes. Throws `too_frequent` if there are too many
   * streams already, before anything is written.
   */
  open(response: () => ServerResponse, viewer: Member, address: string, position: Position | undefined): void;
  /** Reads the `id` of an event; undefined if another process sent it. */
  positionOf(id: string): Position | undefined;
  /** Passes on to the streams of this process what was committed here. */
  changed(changes: Changes): void;
  /** Passes on what was committed in other processes, which have waited a moment already. */
  heard(changes: Changes): void;
  /** Reports that other processes may have changed anything. */
  missed(): void;
  /** Number of open streams. */
  readonly count: number;
  close(): void;
}

/** Changes of so many milliseconds are told together. */
const GATHERED_MS = 80;
/** Clients of a drive that changes all the time are told twice a second. */
const LEAST_PAUSE_MS = 500;
/** Streams are sent their beats in so many groups, one after the other. */
const GROUPS = 20;
const LONGEST_LIFE_MS = 3600_000;
/** Time within which clients look again after all of them were told to. */
const RESYNC_MS = 5_000;

interface Listener {
  readonly streams: Set<LiveStream>;
  readonly waiting: Set<LiveTopic>;
  toldAt: number;
}

export function createLive({
  limits,
  epoch,
  now,
  isLive,
}: {
  limits: LiveLimits;
  /** Identifies this process in the ids of events. */
  epoch: string;
  /** Milliseconds of a clock that is never set. */
  now: () => number;
  /** Returns true if a session has not ended. */
  isLive: (viewer: LiveStream['viewer']) => Promise<boolean>;
}): Live {
  const memory = createChangeMemory(now);
  const listeners = new Map<string, Listener>();
  const addresses = new Map<string, number>();
  const groups = Array.from({ length: GROUPS }, () => new Set<LiveStream>());
  const due = new Set<Listener>();
  let telling: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let turn = 0;
  let count = 0;
  let isClosed = false;

  const idOf = (): string => `${epoch}-${memory.number}`;

  function tell(listener: Listener): void {
    listener.toldAt = now();
    due.delete(listener);
    const topics = [...listener.waiting];
    listener.waiting.clear();
    const id = idOf();
    for (const stream of listener.streams) stream.tell(topics, id);
    if (topics.includes('account')) void endOver([...listener.streams]);
  }

  function tellDue(): void {
    telling = undefined;
    const before = now() - LEAST_PAUSE_MS;
    for (const listener of due) if (listener.toldAt <= before) tell(listener);
    if (due.size > 0) tellSoon();
  }

  function tellSoon(): void {
    telling ??= setTimeout(tellDue, GATHERED_MS).unref();
  }

  /** Ends the streams whose sessions have ended. */
  async function endOver(streams: readonly LiveStream[]): Promise<void> {
    for (const stream of streams)
      // While the database can't be asked, a stream tells nothing that is secret.
      if (!(await isLive(stream.viewer).catch(() => true))) stream.end(true);
  }

  function beat(): void {
    const group = groups[turn % GROUPS]!;
    turn += 1;
    if (turn % GROUPS === 0) memory.tidy();
    for (const stream of group)
      if (now() >= stream.endsAt) stream.end(false);
      else stream.beat();
  }

  function add(stream: LiveStream, group: Set<LiveStream>): void {
    const { viewer, address } = stream;
    const listener = listeners.get(viewer.account) ?? {
      streams: new Set(),
      waiting: new Set(),
      toldAt: Number.NEGATIVE_INFINITY,
    };
    listeners.set(viewer.account, listener);
    listener.streams.add(stream);
    group.add(stream);
    addresses.set(address, (addresses.get(address) ?? 0) + 1);
    count += 1;
    beating ??= setInterval(beat, LIVE_BEAT_MS / GROUPS).unref();
  }

  function remove(stream: LiveStream, group: Set<LiveStream>): void {
    const { viewer, address } = stream;
    const listener = listeners.get(viewer.account)!;
    listener.streams.delete(stream);
    if (listener.streams.size === 0) {
      listeners.delete(viewer.account);
      due.delete(listener);
    }
    group.delete(stream);
    const others = addresses.get(address)! - 1;
    if (others > 0) addresses.set(address, others);
    else addresses.delete(address);
    count -= 1;
    if (count === 0) {
      clearInterval(beating);
      beating = undefined;
    }
  }

  function note(changes: Changes): Listener[] {
    memory.add(changes);
    return [...changes].flatMap(([account, topics]) => {
      const listener = listeners.get(account);
      if (!listener) return [];
      for (const topic of topics) listener.waiting.add(topic);
      due.add(listener);
      return [listener];
    });
  }

  return {
    open(response, viewer, address, position) {
      if (isClosed) throw new ApiFailure('unavailable');
      const { account, session } = viewer;
      if (
        count >= limits.ofServer ||
        (listeners.get(account)?.streams.size ?? 0) >= limits.ofAccount ||
        (addresses.get(address) ?? 0) >= limits.ofAddress
      )
        throw new ApiFailure('too_frequent');
      const to = response();
      // The client left while it was identified: nothing would tell of its end.
      if (to.destroyed || to.closed) return;
      const stream = createLiveStream(to, {
        viewer: { account, session },
        address,
        // Not all at once.
        endsAt: now() + LONGEST_LIFE_MS * (0.5 + Math.random() / 2),
      });
      const group = groups[count % GROUPS]!;
      add(stream, group);
      to.once('close', () => remove(stream, group));
      const missed = position && memory.since(account, position);
      if (position && !missed) stream.resync(idOf(), 0);
      else if (missed && missed.length > 0) stream.tell(missed, idOf());
      else stream.beat();
      // Its session may have ended while it was identified.
      const lately = memory.since(account, { awayMs: 0 });
      if (!lately || lately.includes('account')) void endOver([stream]);
    },

    positionOf(id) {
      const [process, number] = id.split('-');
      return process === epoch && /^\d{1,15}$/.test(number ?? '') ? { number: Number(number) } : undefined;
    },

    changed(changes) {
      if (note(changes).length > 0) tellSoon();
    },

    heard(changes) {
      const before = now() - LEAST_PAUSE_MS;
      for (const listener of note(changes))
        if (listener.toldAt <= before) tell(listener);
        else tellSoon();
    },

    missed() {
      memory.lose();
      const all = [...listeners.values()].flatMap(({ streams }) => [...streams]);
      for (const stream of all) stream.resync(idOf(), RESYNC_MS);
      // One after the other: there may be thousands.
      void endOver(all);
    },

    get count() {
      return count;
    },

    close() {
      isClosed = true;
      clearTimeout(telling);
      clearInterval(beating);
      for (const { streams } of listeners.values()) for (const stream of streams) stream.end(false);
    },
  };
}
