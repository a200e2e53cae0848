import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server: which of them move, and how all of them come to an end. */
export interface Connections {
  /** True once the server is about to stop: every answer is the last of its connection. */
  readonly isLeaving: boolean;
  leave(): void;
  /** Closes those on which nothing is under way. One that was just opened has its first request on the way. */
  closeIdle(): void;
  /** Cuts those on which something is under way that stood still for so long: nothing comes, or nothing is taken. */
  cutStanding(forMs: number): void;
  close(): void;
}

export interface ConnectionLimits {
  /** A connection that has said nothing at all by then is closed. */
  readonly silentMs?: number;
  /** Within each such time the body of a request brings at least… */
  readonly windowMs?: number;
  /** …so many bytes, or its end. The slowest phone brings more in a second than this in a minute. */
  readonly windowBytes?: number;
  readonly checkMs?: number;
}

const JUST_OPENED_MS = 1_000;

interface Watched {
  /** As of when `read` bytes had come. */
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
 * Node limits how long the head of a request may take, and nothing else where bodies may take as long as they need. This adds
 * what a real upload never comes near, so that nobody holds connections for nothing.
 */
export function watchConnections(
  server: Server,
  { silentMs = 60_000, windowMs = 60_000, windowBytes = 4096, checkMs = 5_000 }: ConnectionLimits = {},
): Connections {
  const all = new Map<Socket, Watched>();
  let isLeaving = false;

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
  // What the connection becomes then is not HTTP any more.
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

  /** Whether the client has to send now: not where what it sent still waits to be taken. */
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
    get isLeaving() {
      return isLeaving;
    },
    leave() {
      isLeaving = true;
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
