import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Sql } from './database.ts';

/**
 * Expression for the current time of leases: the same for all processes that share the database, whatever the
 * clocks of their machines. SQLite's processes share a machine, so each one's clock is used.
 */
export function leaseTime({ dialect }: Pick<Sql, 'dialect'>, clock: Clock, laterMs = 0): RawBuilder<number> {
  return dialect === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint + ${sql.lit(laterMs)}`
    : sql<number>`${sql.lit(clock.now() + laterMs)}`;
}
