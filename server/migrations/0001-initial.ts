import { sql, type Kysely } from 'kysely';

/** Everything that the first release keeps. Times are milliseconds since the epoch, sizes bytes, flags 0 or 1. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  /** The few words that the tables below are written in. Text is compared byte by byte on both databases, so orders and cursors agree. */
  const table = async (name: string, columns: readonly string[], keys: readonly string[] = []): Promise<void> => {
    const parts = columns.map((column) => {
      const [field, ...rest] = column.split(' ');
      const type = rest.shift();
      const words = rest.join(' ');
      const kind = type === 'text' ? (dialect === 'postgres' ? 'text collate "C"' : 'text') : type === 'int' ? 'bigint' : type;
      return `"${field}" ${kind} ${words.includes('null') || words.includes('primary') ? words : `not null ${words}`}`;
    });
    await sql.raw(`create table "${name}" (${[...parts, ...keys].join(', ')})`).execute(db);
  };
  const index = async (name: string, on: string, columns: string, where = ''): Promise<void> => {
    await sql.raw(`create index "${name}" on "${on}" (${columns}) ${where && `where ${where}`}`).execute(db);
  };
  const unique = async (name: string, on: string, columns: string, where = ''): Promise<void> => {
    await sql.raw(`create unique index "${name}" on "${on}" (${columns}) ${where && `where ${where}`}`).execute(db);
  };

  // foundation
  await table('job', ['id text primary key', 'kind text', 'unique_key text null', 'payload text', 'run_at int', 'attempts int', 'lease_owner text null', 'lease_until int null', 'last_error text null', 'created_at int']);
  await unique('job_unique_key', 'job', 'kind, unique_key', 'unique_key is not null');
  await index('job_due', 'job', 'kind, run_at');
  await table('replay', ['key text primary key', 'reply text null', 'created_at int']);
  await index('replay_age', 'replay', 'created_at');

  // site
  await table('setting', ['name text primary key', 'value text', 'updated_at int']);

  // shield
  await table('throttle', ['key text primary key', 'failures int', 'blocked_until int', 'forget_at int']);
  await index('throttle_age', 'throttle', 'forget_at');

  // account
  await table('account', [
    'id text primary key', 'email text null', 'email_key text null', 'phone text null', 'name text', 'picture text', 'password_hash text null',
    'role text', 'status text', 'locale text null', 'created_at int', 'password_updated_at int null',
  ]);
  await unique('account_email', 'account', 'email_key', 'email_key is not null');
  await unique('account_phone', 'account', 'phone', 'phone is not null');
  await table('session', [
    'id text primary key', 'account text references account (id)', 'kind text', 'secret_hash text null', 'client_id text', 'device_id text', 'user_agent text',
    'address text', 'created_at int', 'seen_at int', 'expires_at int', 'revoked_at int null',
  ]);
  await unique('session_secret', 'session', 'secret_hash', 'secret_hash is not null');
  await index('session_account', 'session', 'account');
  await table('refresh_token', ['hash text primary key', 'session text references session (id)', 'created_at int', 'expires_at int', 'used_at int null']);
  await index('refresh_token_session', 'refresh_token', 'session');
  await table('verification', [
    'id text primary key', 'target text', 'usage text', 'code_hash text', 'token_hash text null', 'attempts int', 'created_at int', 'expires_at int',
    'verified_at int null', 'used_at int null',
  ]);
  await index('verification_target', 'verification', 'target, created_at');

  // membership
  await table('quota', ['account text primary key references account (id)', 'storage_limit int', 'storage_used int', 'storage_reserved int', 'storage_trashed int']);
  await table('ledger', ['id text primary key', 'account text', 'resource text', 'amount int', 'reason text', 'reference text', 'at int']);
  await index('ledger_account', 'ledger', 'account, resource, id');

  // task
  await table('task', [
    'id text primary key', 'account text', 'type text', 'phase text', 'progress int', 'name text', 'file_id text', 'file_name text', 'file_size int', 'message text',
    'error text null', 'params text', 'state text', 'request_key text null', 'cancelled_at int null', 'created_at int', 'updated_at int', 'finished_at int null',
  ]);
  await index('task_account', 'task', 'account, id');
  await unique('task_request', 'task', 'account, request_key', 'request_key is not null');

  // drive
  await table('blob', ['hash text primary key', 'size int', 'gcid text', 'cid text', 'store_key text', 'created_at int', 'quarantined_at int null']);
  await index('blob_gcid', 'blob', 'gcid, size');
  await index('blob_cid', 'blob', 'cid, size');
  await table('blob_release', ['store_key text primary key', 'hash text', 'released_at int']);
  await index('blob_release_age', 'blob_release', 'released_at');
  await table('node', [
    'id text primary key', 'account text', 'parent text', 'kind int', 'name text', 'name_fold text', 'name_key text', 'type_key text', 'size int',
    'blob text null references blob (hash)', 'created_at int', 'modified_at int', 'user_modified_at int', 'trashed_at int null', 'starred_at int null', 'origin text null',
  ]);
  const live = 'trashed_at is null';
  await unique('node_name', 'node', 'parent, name_fold', live);
  await index('node_by_name', 'node', 'parent, kind, name_key, id', live);
  await index('node_by_type', 'node', 'parent, kind, type_key, name_key, id', live);
  await index('node_by_modified', 'node', 'parent, kind, modified_at, id', live);
  await index('node_by_size', 'node', 'parent, kind, size, id', live);
  const trashed = 'trashed_at is not null';
  await index('node_trash_by_name', 'node', 'account, kind, name_key, id', trashed);
  await index('node_trash_by_type', 'node', 'account, kind, type_key, name_key, id', trashed);
  await index('node_trash_by_time', 'node', 'account, kind, trashed_at, id', trashed);
  await index('node_trash_by_size', 'node', 'account, kind, size, id', trashed);
  await index('node_trash_age', 'node', 'trashed_at, id', trashed);
  await index('node_trashed_children', 'node', 'parent, kind', trashed);
  await index('node_starred', 'node', 'account, starred_at, id', 'starred_at is not null');
  await index('node_blob', 'node', 'blob', 'blob is not null');
  await table('graft', ['task text primary key', 'account text', 'reserved int', 'created_at int']);

  // upload
  await table('upload', [
    'id text primary key', 'account text', 'parent text', 'name text', 'size int', 'announced_hash text', 'conflict text', 'task text', 'state text', 'store_key text null',
    'chosen text null', 'hash text null', 'failure text null', 'user_modified_at int null', 'created_at int', 'active_at int', 'finished_at int null',
  ]);
  await index('upload_account', 'upload', 'account, id');
  await index('upload_idle', 'upload', 'active_at', 'finished_at is null');
  await index('upload_finished', 'upload', 'finished_at', 'finished_at is not null');
  await table('upload_part', ['upload text references upload (id)', 'number int', 'version text', 'size int', 'position int null', 'digests text', 'created_at int'], ['primary key (upload, number, version)']);

  // share
  await table('share', [
    'id text primary key', 'account text', 'title text', 'passcode text null', 'passcode_version int', 'expires_at int null', 'expiration_days int', 'restore_limit int', 'restore_count int',
    'restore_reserved int', 'view_count int', 'download_count int', 'root_count int', 'root_size int', 'mark text', 'mark_covered int', 'paused_at int null', 'cancelled_at int null',
    'share_to text', 'created_at int', 'updated_at int',
  ]);
  await index('share_account', 'share', 'account, created_at, id', 'cancelled_at is null');
  await table('share_root', ['share text references share (id)', 'node text', 'position int'], ['primary key (share, position)']);
  await index('share_root_node', 'share_root', 'node');

  // archive
  await table('archive_ticket', ['id text primary key', 'account text', 'share text null', 'passcode_version int', 'selection text', 'expires_at int']);
  await index('archive_ticket_age', 'archive_ticket', 'expires_at');
}
