import type { Compilable, CompiledQuery } from 'kysely';
import type { Dialect, Sql, Tx } from './database.ts';

/** Stands for a value while a query is compiled; the compiled parameters show where the value belongs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Values = Readonly<Record<string, unknown>>;

const placeholdersFor = <V extends Values>(values: V): V =>
  Object.fromEntries(Object.keys(values).map((name) => [name, new Placeholder(name)])) as V;

/**
 * Queries that are built and compiled once for each shape, and then only get other values: building one takes longer
 * than SQLite takes to answer it.
 *
 * `build` is called once for each shape and dialect, with placeholders for `values`: it may use them as parameters
 * only. Whatever else the query depends on belongs to `shape`, including the names of the values if they vary.
 */
export interface Statements {
  /** Runs the query of a shape and returns its rows. */
  rows<V extends Values, R>(
    sql: Sql,
    shape: string,
    values: V,
    build: (values: V) => Compilable<R>,
  ): Promise<R[]>;
  /** Runs the change of a shape and returns the number of rows that it inserted, updated or deleted. */
  change<V extends Values>(
    tx: Tx,
    shape: string,
    values: V,
    build: (values: V) => Compilable,
  ): Promise<number>;
}

export function createStatements(): Statements {
  const compiled: Record<Dialect, Map<string, CompiledQuery>> = { sqlite: new Map(), postgres: new Map() };

  /** Returns the compiled query of a shape with these values. */
  function bound<V extends Values, R>(
    sql: Sql,
    shape: string,
    values: V,
    build: (values: V) => Compilable<R>,
  ): CompiledQuery<R> {
    const known = compiled[sql.dialect];
    let query = known.get(shape) as CompiledQuery<R> | undefined;
    if (!query) known.set(shape, (query = build(placeholdersFor(values)).compile()));
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name] : parameter,
    );
    return { ...query, parameters };
  }

  return {
    rows: async (sql, shape, values, build) => sql.rows(bound(sql, shape, values, build)),
    change: async (tx, shape, values, build) => tx.change(bound(tx, shape, values, build)),
  };
}
