import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../server/src/foundation/database/index.ts';
import { forest, growForest, openTestApp } from '../server/testing/index.ts';

// Size of a SQLite database with many nodes, compared with the text in it that nothing else contains: ids, names, and
// ids of parents. And the size of its log after a killed server was started and stopped again.

const NODES = Number(process.argv[2]) || 133_000;
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB' } });
const ann = await app.signUp('ann');
await growForest(app, ann.id, forest(app.ids, ann.id, NODES));
const file = join(app.config.DATA_DIR, 'bowerbird.sqlite');
const killed = join(app.config.DATA_DIR, 'killed.sqlite');
for (const ending of ['', '-wal']) await copyFile(file + ending, killed + ending).catch(() => {});
const left = await sizeOf(`${killed}-wal`);

const again = openDatabase(killed);
const started = await sizeOf(`${killed}-wal`);
const { rows } = await sql<{
  bytes: number;
}>`select sum(length(id) + length(parent) + length(cast(name as blob))) as bytes from node`.execute(
  again.on(),
);
await again.close();
const size = await sizeOf(killed);
const text = Number(rows[0]!.bytes);
console.log(
  `database of ${NODES} nodes: ${(size / text).toFixed(1)} times their ids and names (${mib(size)} against ${mib(text)}); log ${mib(left)} when killed, ${mib(started)} after a start, ${mib(await sizeOf(`${killed}-wal`))} after a stop`,
);
