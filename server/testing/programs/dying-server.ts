import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

// The product's command line in a process that kills itself, like a power cut would, right after it has
// committed the first transaction with a certain statement: `dying-server.ts "insert into node" serve --api`.

const [, verb, table] = /^(.+) (\w+)$/.exec(process.argv.splice(2, 1)[0]!)!;
const change = new RegExp(`^\\s*${verb} "?${table}"? `);

/** Watches the statements of one connection. */
function createWatch(): (statement: string) => void {
  let changed = false;
  return (statement) => {
    if (change.test(statement)) changed = true;
    else if (statement.startsWith('begin')) changed = false;
    else if (statement === 'commit' && changed) process.kill(process.pid, 'SIGKILL');
  };
}

const { prepare } = DatabaseSync.prototype;
const watches = new WeakMap<object, ReturnType<typeof createWatch>>();

function watchOf(connection: object): ReturnType<typeof createWatch> {
  const watch = watches.get(connection) ?? createWatch();
  watches.set(connection, watch);
  return watch;
}

DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
  const statement = prepare.call(this, text);
  const watch = watchOf(this);
  for (const name of ['run', 'all'] as const) {
    const original = statement[name].bind(statement) as (...values: unknown[]) => never;
    statement[name] = (...values: unknown[]) => {
      const result = original(...values);
      watch(text);
      return result;
    };
  }
  return statement;
};

const query = pg.Client.prototype.query as (...parameters: unknown[]) => Promise<unknown>;
pg.Client.prototype.query = async function (this: pg.Client, ...parameters: unknown[]) {
  const result = await query.apply(this, parameters);
  if (typeof parameters[0] === 'string') watchOf(this)(parameters[0]);
  return result;
} as never;

await import('../../src/main.ts');
