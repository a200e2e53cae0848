import WebTorrent from 'webtorrent';
import { createBlame, type Blame } from './blame.ts';
import { USER_AGENT } from './http.ts';
import { tameWires } from './wires.ts';

/** One listening port, one node of the DHT and what was learned about peers, for all torrents of the process. */
export interface Client {
  readonly webtorrent: WebTorrent;
  readonly blame: Blame;
  /** Aborted with a reason when it broke down. */
  readonly broken: AbortSignal;
}

export interface Clients {
  /** Runs what needs a client, which starts for the first and ends some time after the last. */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ClientOptions {
  /** Bytes a second over all torrents; null without limit. */
  readonly rate: number | null;
  /** Nodes of the DHT to begin with, `host:port`; those that everybody uses where absent. */
  readonly bootstrap?: readonly string[];
  readonly idleMs?: number;
}

const IDLE_MS = 60_000;
const CLOSE_MS = 1500;
const MOST_CONNECTIONS = 100;
/** Where an error comes from that nobody caught. */
const LIBRARIES =
  /[/\\]node_modules[/\\](?:webtorrent|bittorrent-|torrent-|k-|ut_|lt_|last-one-wins|speed-limiter|streamx|bencode|immediate-chunk-store|parse-torrent|magnet-uri)/;

interface Running extends Client {
  end(): Promise<void>;
}

export function createClients({ rate, bootstrap, idleMs = IDLE_MS }: ClientOptions): Clients {
  let present: Running | undefined;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Running {
    tameWires();
    const webtorrent = new WebTorrent({
      dht: bootstrap ? { bootstrap } : {},
      tracker: false,
      webSeeds: false,
      lsd: false,
      natUpnp: false,
      natPmp: false,
      utp: false,
      utPex: true,
      seedOutgoingConnections: false,
      maxConns: MOST_CONNECTIONS,
      downloadLimit: rate ?? -1,
      userAgent: USER_AGENT,
    });
    const breaking = new AbortController();

    function breakDown(error: unknown): void {
      if (present === running) present = undefined;
      breaking.abort(error);
      void running.end();
    }
    // The library reads what strangers send: what it stumbles over ends its torrents, not what else the process does.
    function contain(error: unknown): void {
      if (error instanceof Error && LIBRARIES.test(error.stack ?? '')) return breakDown(error);
      throw error; // which ends the process
    }
    const running: Running = {
      webtorrent,
      blame: createBlame(),
      broken: breaking.signal,
      async end() {
        process.off('uncaughtException', contain);
        await Promise.race([
          endWebTorrent(webtorrent),
          new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
        ]);
      },
    };
    process.on('uncaughtException', contain);
    webtorrent.on('error', breakDown);
    return running;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const last = present;
    present = undefined;
    await last?.end();
  }

  return {
    async use(work) {
      clearTimeout(idle);
      users += 1;
      try {
        return await work((present ??= start()));
      } finally {
        users -= 1;
        if (users === 0) idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    close: end,
  };
}

function endWebTorrent(webtorrent: WebTorrent): Promise<void> {
  return new Promise((resolve) => {
    try {
      webtorrent.destroy(() => resolve());
    } catch {
      resolve(); // it had ended by itself
    }
  });
}
