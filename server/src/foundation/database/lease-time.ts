import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Sql } from './database.ts';

/**
 * The time by which leases are judged, as an expression: one for all who share the database, however wrong the clocks of their
 * machines are. SQLite's processes share a machine, so the clock of each will do.
 */
export function leaseTime({ dialect }: Pick<Sql, 'dialect'>, clock: Clock, laterMs = 0): RawBuilder<number> {
  return dialect === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint + ${sql.lit(laterMs)}`
    : sql<number>`${sql.lit(clock.now() + laterMs)}`;
}
