import * as dgram from 'node:dgram';
import * as dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { guardedLookup } from './connections.ts';
import { AddressForbidden, type Gate } from './gate.ts';

type Callback = (error: Error | null, bytes?: number) => void;
type Method = (this: dgram.Socket, ...parameters: unknown[]) => void;

/** Checks every datagram that a socket of this process sends. */
export function guardDatagrams(gate: Gate): void {
  const prototype = dgram.Socket.prototype;
  const send = prototype.send as unknown as Method;
  const connect = prototype.connect as unknown as Method;
  const lookup = guardedLookup(dns.lookup as LookupFunction, gate);

  /** Calls back with a permitted address: the given one, or the one that the name resolves to. */
  function admit(socket: dgram.Socket, host: string, then: (error: Error | null, address: string) => void) {
    const family = familyOf(socket);
    if (!isIP(host))
      return lookup(host, { family }, (error, address) =>
        then(error, typeof address === 'string' ? address : ''),
      );
    if (gate.admits(host)) return then(null, host);
    const error = new AddressForbidden(host);
    process.nextTick(() => then(error, ''));
  }

  prototype.send = function guarded(this: dgram.Socket, ...parameters: unknown[]) {
    // The address of a connected socket was checked when it connected.
    if (gate.isOpen() || isConnected(this)) return send.apply(this, parameters);
    const { message, port, host, callback } = datagramOf(parameters);
    admit(this, host ?? loopbackOf(this), (error, address) => {
      if (!error) return send.call(this, message, port, address, ...(callback ? [callback] : []));
      // A lost datagram is only reported to a callback.
      callback?.(error);
    });
  } as typeof prototype.send;

  prototype.connect = function guarded(this: dgram.Socket, ...parameters: unknown[]) {
    if (gate.isOpen()) return connect.apply(this, parameters);
    const [port, second] = parameters;
    const last = parameters.at(-1);
    const callback = typeof last === 'function' ? (last as Callback) : undefined;
    const host = typeof second === 'string' && second ? second : loopbackOf(this);
    admit(this, host, (error, address) => {
      if (!error) return connect.call(this, port, address, ...(callback ? [callback] : []));
      if (callback) callback(error);
      else this.emit('error', error);
    });
  } as typeof prototype.connect;
}

/** Parses all argument forms of `send` on an unconnected socket. */
function datagramOf(parameters: readonly unknown[]): {
  message: unknown;
  port: unknown;
  host: string | undefined;
  callback: Callback | undefined;
} {
  const [message, second, third, fourth, fifth] = parameters;
  const last = parameters.at(-1);
  const callback = typeof last === 'function' ? (last as Callback) : undefined;
  const isSliced =
    Boolean(fifth && typeof fifth !== 'function') || Boolean(fourth && typeof fourth !== 'function');
  const [port, address] = isSliced ? [fourth, fifth] : [second, third];
  const host = typeof address === 'string' && address ? address : undefined;
  return { message: isSliced ? sliceOf(message, second, third) : message, port, host, callback };
}

function sliceOf(message: unknown, offset: unknown, length: unknown): unknown {
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  if (!ArrayBuffer.isView(bytes)) throw new TypeError('A datagram must be bytes or a string');
  const start = Number(offset);
  const end = start + Number(length);
  if (!(start >= 0 && end >= start && end <= bytes.byteLength))
    throw new RangeError('The range is outside the datagram');
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}

function isConnected(socket: dgram.Socket): boolean {
  try {
    socket.remoteAddress();
    return true;
  } catch {
    return false;
  }
}

const typeOf = (socket: dgram.Socket): string => (socket as unknown as { type: string }).type;
const familyOf = (socket: dgram.Socket): 4 | 6 => (typeOf(socket) === 'udp6' ? 6 : 4);
const loopbackOf = (socket: dgram.Socket): string => (familyOf(socket) === 6 ? '::1' : '127.0.0.1');
