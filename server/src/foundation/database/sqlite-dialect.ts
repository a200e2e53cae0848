import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import type { Turns } from './sqlite-turns.ts';

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

class Driver extends SqliteDriver {
  readonly #database: NodeSqlite;
  readonly #turns: Turns;

  constructor(database: NodeSqlite, turns: Turns) {
    super({ database });
    this.#database = database;
    this.#turns = turns;
  }

  /**
   * Takes the write lock at once: a deferred transaction fails with SQLITE_BUSY, without waiting, if it
   * begins to write while another process does.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    // If the previous rollback failed too, its transaction is still open.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
    const begin = CompiledQuery.raw(settings?.accessMode === 'read only' ? 'begin' : 'begin immediate');
    await this.#turns.take(() => connection.executeQuery(begin));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#turns.end();
  }

  /**
   * Never hides the reason for a rollback. After some errors (a full disk, failing input and output) SQLite
   * has rolled back by itself and rejects a second rollback.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection).catch(() => {});
    this.#turns.end();
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: NodeSqlite;
  readonly #turns: Turns;

  constructor(database: NodeSqlite, turns: Turns) {
    super({ database });
    this.#database = database;
    this.#turns = turns;
  }

  override createDriver(): Driver {
    return new Driver(this.#database, this.#turns);
  }
}
