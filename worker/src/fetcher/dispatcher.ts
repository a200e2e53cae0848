import type { FetchFailure, FetchCommand, FetchSpec, FetchEvent, ReadText } from '@bowerbird/contract';
import { StorageFull, StorageUnavailable } from '@bowerbird/storage';
import {
  FetchFailed,
  type Engine,
  type FetchProgress,
  type FetchReport,
  type Wanted,
} from '../fetch/engine.ts';

/** Runs the server's commands on the engines and reports their results as events. */
export interface Dispatcher {
  dispatch(command: FetchCommand): void;
  /** Stops all fetches. Their staged bytes remain for the next process. */
  close(): Promise<void>;
}

interface Running {
  readonly stopping: AbortController;
  readonly want: (wanted: readonly number[] | null) => void;
  readonly ended: Promise<void>;
}

type ReadCommand = Extract<FetchCommand, { type: 'read' }>;
type InspectCommand = Extract<FetchCommand, { type: 'inspect' }>;

const PROGRESS_MS = 1000;
const FAULT: FetchFailure = { error: 'internal', final: false };

export function createDispatcher(
  engineOf: (spec: FetchSpec) => Engine,
  engines: readonly Engine[],
  readText: (command: ReadCommand, signal: AbortSignal) => Promise<ReadText>,
  send: (event: FetchEvent) => void,
  logError: (error: unknown) => void,
): Dispatcher {
  const running = new Map<string, Running>();

  function failureOf(error: unknown): FetchFailure {
    if (error instanceof FetchFailed) return error.failure;
    if (error instanceof StorageFull) return { error: 'disk_full', final: false };
    if (error instanceof StorageUnavailable) return { error: 'unavailable', final: false };
    logError(error);
    return FAULT;
  }

  /** Runs a command that has exactly one answer, and sends it or the failure. */
  async function answer(
    { id, timeoutMs }: InspectCommand | ReadCommand,
    find: (signal: AbortSignal) => Promise<FetchEvent>,
  ): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      send(await find(timeout));
    } catch (error) {
      const failure: FetchFailure = timeout.aborted
        ? { error: 'source_timed_out', final: false }
        : failureOf(error);
      send({ type: 'failed', id, failure });
    }
  }

  const inspect = (command: InspectCommand): Promise<void> =>
    answer(command, async (signal) => ({
      type: 'facts',
      id: command.id,
      facts: await engineOf(command.spec).inspect(command.spec, signal),
    }));

  const read = (command: ReadCommand): Promise<void> =>
    answer(command, async (signal) => ({
      type: 'text',
      id: command.id,
      ...(await readText(command, signal)),
    }));

  function begin(command: Extract<FetchCommand, { type: 'fetch' }>): void {
    const { id, spec } = command;
    const stopping = new AbortController();
    const { wanted, want } = createWanted(command.wanted);
    const throttle = createProgressThrottle(id, send);
    const report: FetchReport = {
      facts: (facts) => send({ type: 'facts', id, facts }),
      progress: (progress) => throttle.update(progress),
      resume: (state) => send({ type: 'resume', id, state }),
      kept: (index, file) => send({ type: 'kept', id, index, file }),
      failed: (index, failure) => send({ type: 'file-failed', id, index, failure }),
    };
    const job = { ...command, wanted, kept: new Set(command.kept) };
    const ended = engineOf(spec)
      .fetch(job, report, stopping.signal)
      .then(
        (): FetchEvent => ({ type: 'settled', id }),
        (error: unknown): FetchEvent =>
          stopping.signal.aborted
            ? { type: 'stopped', id }
            : { type: 'failed', id, failure: failureOf(error) },
      )
      .then((last) => {
        throttle.flush();
        running.delete(id);
        send(stopping.signal.aborted ? { type: 'stopped', id } : last);
      });
    running.set(id, { stopping, want, ended });
  }

  async function stop(id: string): Promise<void> {
    const fetch = running.get(id);
    fetch?.stopping.abort();
    await fetch?.ended;
  }

  const forget = (id: string, generation: number): Promise<unknown> =>
    Promise.all(engines.map((engine) => engine.forget(id, generation))).catch(logError);

  return {
    dispatch(command) {
      switch (command.type) {
        case 'ping':
          return send({ type: 'pong' });
        case 'inspect':
          return void inspect(command);
        case 'read':
          return void read(command);
        case 'fetch':
          return begin(command);
        case 'want':
          return running.get(command.id)?.want(command.wanted);
        case 'stop':
          return void stop(command.id);
        case 'forget':
          return void stop(command.id).then(() => forget(command.id, command.generation));
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
  let current = first && new Set(first);
  const listeners = new Set<() => void>();
  return {
    wanted: {
      has: (index) => current === null || current.has(index),
      onChange(listener, signal) {
        listeners.add(listener);
        signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
      },
    },
    want(next) {
      current = next && new Set(next);
      for (const listener of listeners) listener();
    },
  };
}

/** Limits the rate of progress events, and omits files without new bytes. */
function createProgressThrottle(
  id: string,
  send: (event: FetchEvent) => void,
): { update(progress: FetchProgress): void; flush(): void } {
  let latest: FetchProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const sent = new Map<number, number>();

  function emit(): void {
    timer = undefined;
    if (!latest) return;
    const { files, ...rest } = latest;
    latest = undefined;
    const changed = [...files].filter(([index, received]) => sent.get(index) !== received);
    for (const [index, received] of changed) sent.set(index, received);
    send({ type: 'progress', id, ...rest, files: changed });
  }

  return {
    update(progress) {
      latest = progress;
      timer ??= setTimeout(emit, PROGRESS_MS);
    },
    flush() {
      clearTimeout(timer);
      emit();
    },
  };
}
