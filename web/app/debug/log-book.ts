export const LEVELS = ['log', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface Entry {
  readonly id: number;
  /** Milliseconds since the page was loaded. */
  readonly at: number;
  readonly level: Level;
  readonly text: string;
}

type Console = Record<Level, (...said: unknown[]) => void>;

/**
 * Records all messages to the browser's console from now on, and uncaught errors; the console still receives
 * them.
 */
export interface LogBook {
  entries(): readonly Entry[];
  subscribe(listener: () => void): () => void;
  clear(): void;
  /** Restores the browser's console. */
  close(): void;
}

const MOST = 500;

export function openLogBook(target: EventTarget, console: Console): LogBook {
  let entries: readonly Entry[] = [];
  let count = 0;
  const listeners = new Set<() => void>();
  const put = (kept: readonly Entry[]): void => {
    entries = kept;
    for (const listener of listeners) listener();
  };
  const note = (level: Level, said: readonly unknown[]): void =>
    put([
      ...entries.slice(1 - MOST),
      { id: (count += 1), at: performance.now(), level, text: said.map(textOf).join(' ') },
    ]);

  const before = Object.fromEntries(LEVELS.map((level) => [level, console[level]])) as Console;
  for (const level of LEVELS)
    console[level] = (...said) => {
      before[level].apply(console, said);
      note(level, said);
    };
  const onError = (event: Event): void =>
    note('error', [(event as ErrorEvent).error ?? (event as ErrorEvent).message]);
  const onRejection = (event: Event): void => note('error', [(event as PromiseRejectionEvent).reason]);
  target.addEventListener('error', onError);
  target.addEventListener('unhandledrejection', onRejection);

  return {
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => put([]),
    close() {
      Object.assign(console, before);
      target.removeEventListener('error', onError);
      target.removeEventListener('unhandledrejection', onRejection);
    },
  };
}

function textOf(said: unknown): string {
  if (typeof said === 'string') return said;
  if (said instanceof Error) return said.stack ?? `${said.name}: ${said.message}`;
  try {
    return JSON.stringify(said) ?? String(said);
  } catch {
    return String(said);
  }
}
