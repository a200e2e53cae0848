import { ApiFailure, LEDGER_RESOURCES, readTime } from '@bowerbird/contract';
import type { Drive, NodeRow } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Ledger, LedgerEntry, LedgerFilter } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';

/** Filters as a request has them. */
export interface AskedFilters {
  readonly resource?: unknown;
  readonly cause?: unknown;
  readonly since?: unknown;
  readonly until?: unknown;
}

export interface ReadPage {
  /** Newest first. */
  readonly entries: readonly LedgerEntry[];
  /** Files and folders that entries are about and that still exist, by the entry's reference. */
  readonly files: ReadonlyMap<string, NodeRow>;
  /** All causes that occur in the ledger, to filter by. */
  readonly causes: readonly Pick<LedgerEntry, 'resource' | 'reason'>[];
  /** Entry after which the next page begins; undefined if this is the last one. */
  readonly next: string | undefined;
}

/** A member's ledger, with the names of what still exists. */
export interface Reading {
  /** Reads filters; throws `invalid_argument`. */
  filter(asked: AskedFilters): LedgerFilter;
  /** Returns the entries older than the entry `after`, newest first. */
  page(
    account: string,
    filter: LedgerFilter,
    page: { after: string | undefined; limit: number },
  ): Promise<ReadPage>;
}

const CAUSE_MAX = 64;
/** Causes whose reference is a task that may still know its file. */
const OF_TASKS: ReadonlySet<string> = new Set(['copy', 'restore', 'offline', 'decompress']);
/** Causes whose reference is no file: nothing is looked up. */
const WITHOUT_FILE: ReadonlySet<string> = new Set(['delete', 'repair']);

export function createReading({
  database,
  ledger,
  tasks,
  drive: { nodes },
}: {
  database: Database;
  ledger: Ledger;
  tasks: Pick<Tasks, 'filesOf'>;
  drive: Pick<Drive, 'nodes'>;
}): Reading {
  /** Finds the live files and folders that entries are about, by reference. */
  async function filesOf(account: string, entries: readonly LedgerEntry[]): Promise<Map<string, NodeRow>> {
    const told = entries.filter(
      ({ resource, reason, reference }) =>
        resource === 'storage' && reference !== '' && !WITHOUT_FILE.has(reason),
    );
    const ofTasks = new Set(
      told.flatMap(({ reason, reference }) => (OF_TASKS.has(reason) ? [reference] : [])),
    );
    const files = await tasks.filesOf(database, account, [...ofTasks]);
    /** Id of a file, by reference. */
    const wanted = new Map(told.map(({ reference }) => [reference, files.get(reference) || reference]));
    const found = await nodes.findMany(database, account, [...new Set(wanted.values())]);
    const byId = new Map(found.map((node) => [node.id, node]));
    return new Map(
      [...wanted].flatMap(([reference, id]) => {
        const node = byId.get(id);
        return node ? [[reference, node] as const] : [];
      }),
    );
  }

  return {
    filter({ resource, cause, since, until }) {
      const refuse = (field: string): never => {
        throw new ApiFailure('invalid_argument', { field });
      };
      const time = (field: string, value: unknown): number | undefined =>
        value === undefined || value === ''
          ? undefined
          : ((typeof value === 'string' ? readTime(value) : undefined) ?? refuse(field));
      const known = LEDGER_RESOURCES.find((one) => one === resource);
      if (resource !== undefined && resource !== '' && !known) refuse('resource');
      if (cause !== undefined && (typeof cause !== 'string' || cause.length > CAUSE_MAX)) refuse('cause');
      return {
        resource: known === 'usage' ? 'storage' : known,
        cause: typeof cause === 'string' && cause !== '' ? cause : undefined,
        since: time('since', since),
        until: time('until', until),
      };
    },

    async page(account, filter, place) {
      const { entries, more, causes } = await ledger.page(account, filter, place);
      return {
        entries,
        causes,
        files: await filesOf(account, entries),
        next: more ? entries.at(-1)!.id : undefined,
      };
    },
  };
}
