import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Sql } from '../foundation/database/index.ts';
import type { NodeRow, Nodes } from '../drive/index.ts';

/**
 * Number of lookups after which other requests get their turn; each lookup costs as much as the tree is deep.
 */
const LOOKS_AT_ONCE = 50;

async function* chains(
  sql: Sql,
  nodes: Nodes,
  ids: Iterable<string>,
  roots: ReadonlySet<string>,
): AsyncGenerator<NodeRow[] | undefined, void, undefined> {
  let looks = 0;
  for (const id of ids) {
    yield await nodes.withinRoots(sql, id, roots);
    looks += 1;
    if (looks % LOOKS_AT_ONCE === 0) await yieldToEventLoop();
  }
}

/**
 * Selects live nodes at or below `roots` for a batch call, each once and none inside another. Throws `file_not_found`
 * if any is missing, `operating_file_count_exceeded` if there are too many.
 */
export async function outermost(
  sql: Sql,
  nodes: Nodes,
  ids: Iterable<string>,
  roots: ReadonlySet<string>,
): Promise<NodeRow[]> {
  const wanted = new Set(ids);
  if (wanted.size > LIMITS.batch) throw new ApiFailure('operating_file_count_exceeded');
  const found: NodeRow[] = [];
  for await (const chain of chains(sql, nodes, wanted, roots)) {
    if (!chain) throw new ApiFailure('file_not_found');
    if (!chain.slice(0, -1).some((above) => wanted.has(above.id))) found.push(chain.at(-1)!);
  }
  return found;
}

/** Filters the nodes that are still live and at or below `roots`. */
export async function stillWithin(
  sql: Sql,
  nodes: Nodes,
  ids: Iterable<string>,
  roots: ReadonlySet<string>,
): Promise<NodeRow[]> {
  const found: NodeRow[] = [];
  for await (const chain of chains(sql, nodes, ids, roots)) found.push(...(chain?.slice(-1) ?? []));
  return found;
}
