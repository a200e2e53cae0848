import type { FetchFailure, FetchOrder, FetchSpec, FetchWord, ReadText } from '@bowerbird/contract';
import { StorageFull, StorageUnavailable } from '@bowerbird/storage';
import {
  FetchFailed,
  type Engine,
  type FetchProgress,
  type FetchReport,
  type Wanted,
} from '../fetch/engine.ts';

export interface Desk {
  take(order: FetchOrder): void;
  /** Ends all orders, leaving what they staged for the next process. */
  close(): Promise<void>;
}

interface Running {
  readonly stopping: AbortController;
  readonly want: (wanted: readonly number[] | null) => void;
  readonly ended: Promise<void>;
}

type ReadOrder = Extract<FetchOrder, { order: 'read' }>;
type InspectOrder = Extract<FetchOrder, { order: 'inspect' }>;

const PROGRESS_MS = 1000;
const FAULT: FetchFailure = { error: 'internal', final: false };

/** Takes the server's orders, gives them to the engines, and says what became of them. */
export function createDesk(
  engineOf: (spec: FetchSpec) => Engine,
  engines: readonly Engine[],
  readText: (order: ReadOrder, signal: AbortSignal) => Promise<ReadText>,
  say: (word: FetchWord) => void,
  complain: (error: unknown) => void,
): Desk {
  const running = new Map<string, Running>();

  function failureOf(error: unknown): FetchFailure {
    if (error instanceof FetchFailed) return error.failure;
    if (error instanceof StorageFull) return { error: 'disk_full', final: false };
    if (error instanceof StorageUnavailable) return { error: 'unavailable', final: false };
    complain(error);
    return FAULT;
  }

  /** Answers an order of one question, with an answer or with what stands in its way. */
  async function answer(
    { id, patienceMs }: InspectOrder | ReadOrder,
    find: (signal: AbortSignal) => Promise<FetchWord>,
  ): Promise<void> {
    const patience = AbortSignal.timeout(patienceMs);
    try {
      say(await find(patience));
    } catch (error) {
      const failure: FetchFailure = patience.aborted
        ? { error: 'source_timed_out', final: false }
        : failureOf(error);
      say({ word: 'failed', id, failure });
    }
  }

  const inspect = (order: InspectOrder): Promise<void> =>
    answer(order, async (signal) => ({
      word: 'facts',
      id: order.id,
      facts: await engineOf(order.spec).inspect(order.spec, signal),
    }));

  const read = (order: ReadOrder): Promise<void> =>
    answer(order, async (signal) => ({ word: 'text', id: order.id, ...(await readText(order, signal)) }));

  function begin(order: Extract<FetchOrder, { order: 'fetch' }>): void {
    const { id, spec } = order;
    const stopping = new AbortController();
    const { wanted, want } = createWanted(order.wanted);
    const pace = createPace(id, say);
    const report: FetchReport = {
      facts: (facts) => say({ word: 'facts', id, facts }),
      progress: (progress) => pace.note(progress),
      resume: (state) => say({ word: 'resume', id, state }),
      kept: (index, file) => say({ word: 'kept', id, index, file }),
      failed: (index, failure) => say({ word: 'file-failed', id, index, failure }),
    };
    const job = { ...order, wanted, kept: new Set(order.kept) };
    const ended = engineOf(spec)
      .fetch(job, report, stopping.signal)
      .then(
        (): FetchWord => ({ word: 'settled', id }),
        (error: unknown): FetchWord =>
          stopping.signal.aborted
            ? { word: 'stopped', id }
            : { word: 'failed', id, failure: failureOf(error) },
      )
      .then((last) => {
        pace.end();
        running.delete(id);
        say(stopping.signal.aborted ? { word: 'stopped', id } : last);
      });
    running.set(id, { stopping, want, ended });
  }

  async function stop(id: string): Promise<void> {
    const order = running.get(id);
    order?.stopping.abort();
    await order?.ended;
  }

  const forget = (id: string, generation: number): Promise<unknown> =>
    Promise.all(engines.map((engine) => engine.forget(id, generation))).catch(complain);

  return {
    take(order) {
      switch (order.order) {
        case 'ping':
          return say({ word: 'pong' });
        case 'inspect':
          return void inspect(order);
        case 'read':
          return void read(order);
        case 'fetch':
          return begin(order);
        case 'want':
          return running.get(order.id)?.want(order.wanted);
        case 'stop':
          return void stop(order.id);
        case 'forget':
          return void stop(order.id).then(() => forget(order.id, order.generation));
      }
    },
    async close() {
      await Promise.all([...running.keys()].map(stop));
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
}

function createWanted(first: readonly number[] | null): {
  wanted: Wanted;
  want: (wanted: readonly number[] | null) => void;
} {
  let present = first && new Set(first);
  const listeners = new Set<() => void>();
  return {
    wanted: {
      has: (index) => present === null || present.has(index),
      onChange(listener, signal) {
        listeners.add(listener);
        signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
      },
    },
    want(next) {
      present = next && new Set(next);
      for (const listener of listeners) listener();
    },
  };
}

/** Spaces words about progress out, and leaves out the files that didn't move. */
function createPace(
  id: string,
  say: (word: FetchWord) => void,
): { note(progress: FetchProgress): void; end(): void } {
  let latest: FetchProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const told = new Map<number, number>();

  function tell(): void {
    timer = undefined;
    if (!latest) return;
    const { files, ...rest } = latest;
    latest = undefined;
    const changed = [...files].filter(([index, received]) => told.get(index) !== received);
    for (const [index, received] of changed) told.set(index, received);
    say({ word: 'progress', id, ...rest, files: changed });
  }

  return {
    note(progress) {
      latest = progress;
      timer ??= setTimeout(tell, PROGRESS_MS);
    },
    end() {
      clearTimeout(timer);
      tell();
    },
  };
}
