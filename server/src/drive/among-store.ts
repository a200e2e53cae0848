import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../foundation/database/index.ts';

/** `column in (…)` for any number of values, in a statement whose text never changes. */
export function among(at: Sql, column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return amongList(at, column, listOf(at, values));
}

/** Any number of values as one parameter. */
export const listOf = (at: Sql, values: readonly (string | number)[]): unknown =>
  at.dialect === 'postgres' ? [...values] : JSON.stringify(values);

/** Same as {@link among} for a parameter that {@link listOf} returned. */
export const amongList = (at: Sql, column: string, list: unknown): RawBuilder<boolean> =>
  at.dialect === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(${list})`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${list}))`;
