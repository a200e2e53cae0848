import WebTorrent from 'webtorrent';
import { createPeerBans, type PeerBans } from './peer-bans.ts';
import { USER_AGENT } from './http.ts';
import { hardenConnections } from './peer-connections.ts';

/** One listening port, one DHT node and one list of banned peers for all torrents of the process. */
export interface Client {
  readonly webtorrent: WebTorrent;
  readonly peerBans: PeerBans;
  /** Aborted with the reason when the client fails. */
  readonly broken: AbortSignal;
}

export interface Clients {
  /** Runs work with a client, which is started for the first user and ended some time after the last. */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ClientOptions {
  /** Bytes per second over all torrents; null for no limit. */
  readonly rate: number | null;
  /** DHT bootstrap nodes, `host:port`; the public ones by default. */
  readonly bootstrap?: readonly string[];
  readonly idleMs?: number;
}

const IDLE_MS = 60_000;
const CLOSE_MS = 1500;
const MOST_CONNECTIONS = 100;
/** Matches the stack of an uncaught error from the BitTorrent libraries. */
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
    hardenConnections();
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
    // The library parses input of strangers: an error in it ends its torrents, but not the rest of the process.
    function contain(error: unknown): void {
      if (error instanceof Error && LIBRARIES.test(error.stack ?? '')) return breakDown(error);
      throw error; // ends the process
    }
    const running: Running = {
      webtorrent,
      peerBans: createPeerBans(),
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
      resolve(); // was destroyed already
    }
  });
}
