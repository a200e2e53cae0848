import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

// The product's command line in a process that is killed, as by a power cut, right after it committed the first
// transaction that added rows to one table: `dying-server.ts TABLE serve --api`.

const [table] = process.argv.splice(2, 1);
const adding = new RegExp(`^\\s*insert into "?${table}"? `);

/** Watches the statements of one connection. */
function createWatch(): (statement: string) => void {
  let added = false;
  return (statement) => {
    if (adding.test(statement)) added = true;
    else if (statement.startsWith('begin')) added = false;
    else if (statement === 'commit' && added) process.kill(process.pid, 'SIGKILL');
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

await import('../src/main.ts');
