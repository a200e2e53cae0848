export {
  databaseTrouble,
  isForeignKeyViolation,
  isUniqueViolation,
  openDatabase,
  type Database,
  type Dialect,
  type Sql,
  type Tx,
} from './database.ts';
export { beyond, createCursors, cutPage, type Cursors, type Place } from './keyset.ts';
export { isMigrated, migrate } from './migrate.ts';
export { removeRows } from './remove-rows.ts';
