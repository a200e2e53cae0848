import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks the connections of a server, closes stalled ones, and drains all of them before a stop. */
export interface Connections {
  /** True once the server is about to stop: each connection then closes after its response. */
  readonly isDraining: boolean;
  drain(): void;
  /** Closes idle connections, except those just opened, whose first request may be on its way. */
  closeIdle(): void;
  /** Cuts busy connections on which no data was sent or received for `forMs`. */
  cutStanding(forMs: number): void;
  close(): void;
}

export interface ConnectionLimits {
  /** Time after which a connection that has sent nothing is closed. */
  readonly silentMs?: number;
  /** Interval in which the body of a request must deliver at least `windowBytes`, or end. */
  readonly windowMs?: number;
  /** The slowest phone sends more in a second than this in a minute. */
  readonly windowBytes?: number;
  readonly checkMs?: number;
}

const JUST_OPENED_MS = 1_000;

interface Watched {
  /** Start of the current window; `windowRead` bytes had been read by then. */
  windowAt: number;
  windowRead: number;
  movedAt: number;
  read: number;
  written: number;
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  wasUsed: boolean;
}

/**
 * Without a time limit for bodies, Node limits only the time for a request's head. The limits here keep
 * stalled clients from occupying connections, and any real upload stays far within them.
 */
export function watchConnections(
  server: Server,
  { silentMs = 60_000, windowMs = 60_000, windowBytes = 4096, checkMs = 5_000 }: ConnectionLimits = {},
): Connections {
  const all = new Map<Socket, Watched>();
  let isDraining = false;

  server.on('connection', (socket: Socket) => {
    const now = performance.now();
    all.set(socket, {
      windowAt: now,
      windowRead: 0,
      movedAt: now,
      read: 0,
      written: 0,
      request: undefined,
      response: undefined,
      wasUsed: false,
    });
    socket.once('close', () => all.delete(socket));
  });
  // An upgraded connection no longer speaks HTTP.
  server.on('upgrade', (_request, socket) => all.delete(socket as Socket));
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const watched = all.get(request.socket);
    if (!watched) return;
    const now = performance.now();
    Object.assign(watched, { request, response, wasUsed: true });
    Object.assign(watched, { movedAt: now, windowAt: now, windowRead: request.socket.bytesRead });
    response.once('close', () => {
      if (watched.response === response) Object.assign(watched, { request: undefined, response: undefined });
    });
  };
  server.prependListener('request', begin);

  /** Returns true if the client has to send now; false while the server has unread data from it. */
  const isAwaited = (request: IncomingMessage | undefined): request is IncomingMessage =>
    request !== undefined && !request.complete && request.readableLength < request.readableHighWaterMark;

  function look(socket: Socket, watched: Watched, now: number): void {
    const { bytesRead: read, bytesWritten: written } = socket;
    if (read !== watched.read || written !== watched.written) watched.movedAt = now;
    Object.assign(watched, { read, written });
    if (!watched.wasUsed) {
      if (read === 0 && now - watched.windowAt >= silentMs) socket.destroy();
      return;
    }
    if (!isAwaited(watched.request)) Object.assign(watched, { windowAt: now, windowRead: read });
    else if (now - watched.windowAt >= windowMs) {
      if (read - watched.windowRead < windowBytes) socket.destroy();
      Object.assign(watched, { windowAt: now, windowRead: read });
    }
  }

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, watched] of all) look(socket, watched, now);
  }, checkMs).unref();

  return {
    get isDraining() {
      return isDraining;
    },
    drain() {
      isDraining = true;
    },
    closeIdle() {
      const now = performance.now();
      for (const [socket, { request, wasUsed, windowAt }] of all)
        if (wasUsed ? request === undefined : now - windowAt > JUST_OPENED_MS) socket.destroy();
    },
    cutStanding(forMs) {
      const now = performance.now();
      for (const [socket, watched] of all) {
        look(socket, watched, now);
        const { request, response, movedAt } = watched;
        const waitsForClient = isAwaited(request) || (response !== undefined && response.writableNeedDrain);
        if (waitsForClient && now - movedAt >= forMs) socket.destroy();
      }
    },
    close: () => clearInterval(timer),
  };
}
