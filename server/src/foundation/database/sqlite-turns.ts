import { setTimeout as sleep } from 'node:timers/promises';

/** Turns of the processes that write to the same SQLite file: it has one write lock, and no queue for it. */
export interface Turns {
  /**
   * Calls `begin`, which takes the write lock or fails with SQLITE_BUSY, until it succeeds. Requests that only read
   * are answered meanwhile: SQLite's own waiting would block the event loop.
   */
  take(begin: () => Promise<unknown>): Promise<void>;
  /** Records the end of a transaction. */
  end(): void;
}

const PATIENCE_MS = 5_000;
const POLL_MS = 1;
/** Time for which a process may write without a break while others may be waiting. */
const LONGEST_TURN_MS = 50;
/** Break in which every waiting process tries at least once. */
const BREAK_MS = 3;

/** `isShared` if other processes write all the time, not only the occasional command. */
export function createTurns({ isShared }: { isShared: boolean }): Turns {
  let began = 0;
  let ended = 0;

  async function leaveBreak(): Promise<void> {
    const now = performance.now();
    if (now - ended >= BREAK_MS) began = now;
    else if (now - began >= LONGEST_TURN_MS) {
      await sleep(BREAK_MS);
      began = performance.now();
    }
  }

  return {
    async take(begin) {
      if (isShared) await leaveBreak();
      const givesUpAt = performance.now() + PATIENCE_MS;
      for (;;) {
        try {
          await begin();
          return;
        } catch (error) {
          if (!isBusy(error) || performance.now() > givesUpAt) throw error;
        }
        await sleep(POLL_MS);
        began = performance.now();
      }
    },
    end() {
      ended = performance.now();
    },
  };
}

const SQLITE_BUSY = 5;
/** Result codes of SQLite carry details above their lowest byte. */
const PRIMARY = 0xff;

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & PRIMARY) === SQLITE_BUSY;
}
