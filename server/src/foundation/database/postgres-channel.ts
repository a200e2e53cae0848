import type { Client } from 'pg';

/** A connection of its own to PostgreSQL, over which servers send each other short texts. */
export interface Channel {
  /** Sends texts of at most 7,900 bytes to all other servers, which learn if that fails. */
  send(texts: readonly string[]): void;
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A connection that is silently lost is noticed within two of these. */
const CHECK_MS = 15_000;

/** Sent after texts were lost, and by a server that starts: the one before it may have been killed. */
const SOMETHING_LOST = '';

/**
 * Opens the channel of this name, and opens it again whenever it is lost. `hear` gets what other servers send; `missed`
 * is called whenever they may have sent something that didn't arrive.
 */
export function openChannel(
  url: string,
  name: string,
  { hear, missed }: { hear: (text: string) => void; missed: () => void },
): Channel {
  let client: Client | undefined;
  let isClosed = false;
  let pause = FIRST_PAUSE_MS;
  let retry: NodeJS.Timeout | undefined;
  let isAwaited = false;
  let hasLost = true;
  const gone = new WeakSet<Client>();

  function lose(lost: Client): void {
    if (gone.has(lost)) return;
    gone.add(lost);
    if (client === lost) client = undefined;
    lost.removeAllListeners('notification');
    // Also ends a connection that does not respond.
    (lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    if (isClosed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      void connect();
    }, pause).unref();
    pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
  }

  async function connect(): Promise<void> {
    const { default: pg } = await import('pg');
    if (isClosed) return;
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      application_name: name,
    });
    let own = 0;
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    // Notifications also come back to the connection that sent them.
    next.on('notification', ({ processId, payload }) => {
      if (processId === own || payload === undefined) return;
      if (payload === SOMETHING_LOST) missed();
      else hear(payload);
    });
    try {
      await next.connect();
      const { rows } = await next.query<{ pid: number }>('select pg_backend_pid() as pid');
      own = rows[0]!.pid;
      // A notification is sent with a commit, which need not be flushed: it changes no rows.
      await next.query('set synchronous_commit = off');
      await next.query(`listen ${name}`);
    } catch {
      lose(next);
      return;
    }
    if (isClosed) return void next.end().catch(() => {});
    client = next;
    pause = FIRST_PAUSE_MS;
    isAwaited = false;
    if (hasLost) send([SOMETHING_LOST]);
    hasLost = false;
    missed();
  }

  function send(texts: readonly string[]): void {
    const through = client;
    if (!through) {
      hasLost = true;
      return;
    }
    through.query('select pg_notify($1, text) from unnest($2::text[]) as text', [name, texts]).catch(() => {
      hasLost = true;
      lose(through);
    });
  }

  const check = setInterval(() => {
    const asked = client;
    if (!asked) return;
    if (isAwaited) return lose(asked);
    isAwaited = true;
    asked.query('select 1').then(
      () => (isAwaited = false),
      () => {},
    );
  }, CHECK_MS).unref();
  void connect();

  return {
    send,
    async close() {
      isClosed = true;
      clearInterval(check);
      clearTimeout(retry);
      // Ends after what was sent before.
      await client?.end().catch(() => {});
    },
  };
}
