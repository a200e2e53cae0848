export { awaitDatabase, type Patience } from './await-database.ts';
export {
  isForeignKeyViolation,
  isUniqueViolation,
  openDatabase,
  type Database,
  type Dialect,
  type Sharing,
  type Sql,
  type Tx,
} from './database.ts';
export { databaseTrouble, DatabaseUnavailable } from './database-trouble.ts';
export { jsonOrNull } from './json-column.ts';
export { beyond, createCursors, cutPage, type Cursors, type KeysetPosition } from './keyset.ts';
export { leaseTime } from './lease-time.ts';
export { isMigrated, migrate } from './migrate.ts';
export { createStatements, type Statements } from './statements.ts';
