import type { LiveTopic } from '@bowerbird/contract';
import { CompiledQuery } from 'kysely';

/** State of a transaction that others need to join it. */
interface Open {
  change(query: CompiledQuery): Promise<number>;
  afterCommit(effect: () => void): void;
  changed(account: string, topic: LiveTopic): void;
}

/** Open transaction that others join. Each of them is a step, which is rolled back alone if it fails. */
export interface Joint<Tx extends Open> {
  readonly tx: Tx;
  /** True after the end: later transactions in the same chain of calls are independent again. */
  readonly isOver: boolean;
  step<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
  /**
   * Waits for the running steps. Rejects if one of them could not be rolled back, so that nothing is
   * committed.
   */
  end(): Promise<void>;
}

export function createJoint<Tx extends Open>(tx: Tx): Joint<Tx> {
  let isOver = false;
  let broken: { readonly error: unknown } | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const say = (statement: string): Promise<unknown> => tx.change(CompiledQuery.raw(statement));

  async function undo(error: unknown): Promise<void> {
    try {
      await say('rollback to savepoint step');
      await say('release savepoint step');
    } catch {
      // The connection is lost, or the database rolled everything back by itself: nothing more may be written
      // here.
      broken = { error };
    }
  }

  async function take<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    if (broken) throw broken.error;
    const effects: (() => void)[] = [];
    const changes: Parameters<Open['changed']>[] = [];
    await say('savepoint step');
    let result: R;
    try {
      result = await work({
        ...tx,
        afterCommit: (effect: () => void) => void effects.push(effect),
        changed: (...change: (typeof changes)[number]) => void changes.push(change),
      });
    } catch (error) {
      await undo(error);
      throw error;
    }
    await say('release savepoint step');
    for (const effect of effects) tx.afterCommit(effect);
    for (const change of changes) tx.changed(...change);
    return result;
  }

  return {
    tx,
    get isOver() {
      return isOver;
    },
    step(work) {
      const done = turn.then(() => take(work));
      turn = done.catch(() => {});
      return done;
    },
    async end() {
      isOver = true;
      await turn;
      if (broken) throw broken.error;
    },
  };
}
