import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type ConnectionProvider,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';

type Row = Record<string, unknown>;
const STATEMENTS_KEPT = 500;

/**
 * Returns a function that turns the values of a row into an object. It is generated, so that all rows of a statement
 * are created at once with the same fields: adding them one by one takes several times as long.
 */
function rowMaker(columns: readonly string[]): (values: readonly unknown[]) => Row {
  const fields = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  // The names are those of columns in our own queries.
  // eslint-disable-next-line typescript/no-implied-eval
  return new Function('values', `return { ${fields.join(', ')} };`) as (values: readonly unknown[]) => Row;
}

/**
 * node:sqlite with the members that Kysely's own SQLite dialect calls, and prepared statements cached by
 * their SQL.
 */
export class NodeSqlite implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #kept = new Map<string, SqliteStatement>();
  #connection: Promise<DatabaseConnection> | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#kept.clear();
    this.#database.close();
  }

  /** Runs a query and returns its rows, without Kysely's work around it. */
  all<R>(sql: string, parameters: readonly unknown[]): R[] {
    return this.prepare(sql).all(parameters) as R[];
  }

  /** Runs a change and returns the number of rows that it inserted, updated or deleted, without Kysely's work. */
  run(sql: string, parameters: readonly unknown[]): number {
    return Number(this.prepare(sql).run(parameters).changes);
  }

  /** For queries that Kysely runs. */
  connection(): Promise<DatabaseConnection> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<DatabaseConnection> {
    const driver = new SqliteDriver({ database: this });
    await driver.init();
    return driver.acquireConnection();
  }

  prepare(sql: string): SqliteStatement {
    const kept = this.#kept.get(sql) ?? this.#statement(sql);
    this.#kept.delete(sql);
    this.#kept.set(sql, kept);
    if (this.#kept.size > STATEMENTS_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }

  #statement(sql: string): SqliteStatement {
    const statement = this.#database.prepare(sql);
    const columns = statement.columns().map((column) => column.name);
    // Arrays converted to plain objects cost a third less than node:sqlite's own null-prototype rows.
    if (columns.length > 0) statement.setReturnArrays(true);
    const row = rowMaker(columns);
    return {
      reader: columns.length > 0,
      all: (parameters) =>
        (statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]).map((values) =>
          row(values),
        ),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      *iterate(parameters) {
        for (const values of statement.iterate(...(parameters as SQLInputValue[])))
          yield row(values as unknown as unknown[]);
      },
    };
  }
}

/** Kysely on a connection that is only read. */
export function readingKysely(sqlite: NodeSqlite): Kysely<never> {
  return new Kysely<never>({ dialect: new SqliteDialect({ database: sqlite }) });
}

const ADAPTER = new SqliteAdapter();
const COMPILER = new SqliteQueryCompiler();
const DRIVER = new DummyDriver();

/** Kysely within a transaction. `check` is called before each query, and throws once the transaction is over. */
export function kyselyWithin<Tables>(sqlite: NodeSqlite, check: () => void): Kysely<Tables> {
  const provider: ConnectionProvider = {
    async provideConnection(consumer) {
      check();
      return consumer(await sqlite.connection());
    },
  };
  const dialect = new SqliteDialect({ database: sqlite });
  return new Kysely<Tables>({
    config: { dialect },
    dialect,
    driver: DRIVER,
    executor: new DefaultQueryExecutor(COMPILER, ADAPTER, provider),
  });
}
