import * as dns from 'node:dns';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { AddressForbidden, type Gate } from './gate.ts';

interface Target {
  host?: string;
  port?: unknown;
  path?: unknown;
  lookup?: LookupFunction;
}

type Connect = (this: Socket, ...parameters: unknown[]) => Socket;

// A forbidden address is reported like a name that cannot be resolved, an error that every kind of socket handles. This
// name is never looked up.
const REFUSED = 'refused.invalid';
const refuse: LookupFunction = (hostname, _options, callback) => callback(new AddressForbidden(hostname), []);

/** Checks every connection of a stream socket of this process: TCP, TLS, whatever the library. */
export function guardConnections(gate: Gate): void {
  const connect = Socket.prototype.connect as unknown as Connect;

  function guarded(this: Socket, ...parameters: unknown[]): Socket {
    if (gate.isOpen()) return connect.apply(this, parameters);
    const { target, listener } = targetOf(parameters);
    return connect.call(this, checked(target), ...(listener ? [listener] : []));
  }

  function checked(target: Target): Target {
    // Read once: a getter could return something else the second time.
    const { host: asked, path, lookup: given, ...rest } = target;
    const host = asked || 'localhost';
    const isName = typeof host === 'string' && !isIP(host);
    if (!path && isName) return { ...rest, host, lookup: guardedLookup(given ?? dns.lookup, gate) };
    if (!path && typeof host === 'string' && gate.admits(host)) return { ...rest, host };
    return { ...rest, host: REFUSED, port: rest.port ?? 1, lookup: refuse };
  }

  Socket.prototype.connect = guarded as unknown as Socket['connect'];
}

/** Parses all argument forms of `connect`; node:net itself passes a list that is already normalized. */
function targetOf(parameters: readonly unknown[]): { target: Target; listener: unknown } {
  const sorted = Array.isArray(parameters[0]) ? (parameters[0] as unknown[]) : parameters;
  const last = sorted.at(-1);
  const listener = typeof last === 'function' ? last : undefined;
  const [first, second] = sorted;
  if (typeof first === 'object' && first !== null) return { target: { ...first }, listener };
  if (typeof first === 'string' && !isPort(first)) return { target: { path: first }, listener };
  const host = typeof second === 'string' ? { host: second } : {};
  return { target: { port: first, ...host }, listener };
}

const isPort = (value: string): boolean => value.trim() !== '' && Number(value) >= 0;

/** Resolves a name once. Returns the addresses that were checked, or an error if any of them is forbidden. */
export function guardedLookup(lookup: LookupFunction, gate: Gate): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      // A custom lookup may answer in the short form even when asked for all addresses.
      const all = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }];
      if (all.length === 0 || !all.every(({ address }) => gate.admits(address)))
        return callback(new AddressForbidden(hostname), []);
      const [first] = all;
      if (options.all || !first) return callback(null, all);
      callback(null, first.address, first.family);
    });
  };
}
