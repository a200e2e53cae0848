import type { Compilable, CompiledQuery } from 'kysely';
import type { Dialect, Sql } from './database.ts';

/** Stands for a value while a query is compiled; the compiled parameters show where the value belongs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'string' ? new Placeholder(name) : undefined) },
);

type Values = Readonly<Record<string, unknown>>;

/**
 * Queries that are built and compiled once for each shape, and then only get other values: building one takes longer
 * than SQLite takes to answer it.
 */
export interface Statements {
  /**
   * Runs the query of a shape and returns its rows. `build` is called once for each shape and dialect, with
   * placeholders for `values`: it may use them as parameters only. Whatever else the query depends on belongs to
   * `shape`.
   */
  rows<V extends Values, R>(
    sql: Sql,
    shape: string,
    values: V,
    build: (values: V) => Compilable<R>,
  ): Promise<R[]>;
}

export function createStatements(): Statements {
  const compiled: Record<Dialect, Map<string, CompiledQuery>> = { sqlite: new Map(), postgres: new Map() };
  return {
    async rows<V extends Values, R>(
      sql: Sql,
      shape: string,
      values: V,
      build: (values: V) => Compilable<R>,
    ): Promise<R[]> {
      const known = compiled[sql.dialect];
      let query = known.get(shape) as CompiledQuery<R> | undefined;
      if (!query) known.set(shape, (query = build(placeholders as V).compile()));
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      );
      return (await sql.on().executeQuery<R>({ ...query, parameters })).rows;
    },
  };
}
