import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { FetchFailed } from '../fetch/engine.ts';
import type { Guard } from '../guard/index.ts';

/** An aria2 that waits for orders. */
export interface Aria2 {
  /** Rejects with {@link Aria2Refused}, or with {@link FetchFailed} where nobody answers. */
  call<T>(method: string, ...parameters: unknown[]): Promise<T>;
  /** Address of this machine as aria2 sees it; known after the first call. */
  readonly localAddress: string;
  close(): void;
}

/** aria2 answered that it won't. */
export class Aria2Refused extends Error {
  override name = 'Aria2Refused';
}

const PATIENCE_MS = 10_000;
const LOOPBACK = '127.0.0.1';

/** `address` is that of its JSON-RPC interface, with `token:` and its secret before the host where it has one. */
export function connectAria2(address: string, guard: Guard): Aria2 {
  const url = new URL(address);
  const secret = decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  const isSecure = url.protocol === 'https:';
  // Connections of its own: they may lead where strangers must not send us.
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 2 })
    : new HttpAgent({ keepAlive: true, maxSockets: 2 });
  let localAddress = LOOPBACK;

  function post(body: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const take = (answer: IncomingMessage): void => {
      localAddress = answer.socket.localAddress ?? localAddress;
      text(answer).then(resolve, reject);
    };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const asked = (isSecure ? requestHttps : requestHttp)(
      url,
      { method: 'POST', agent, headers, signal },
      take,
    );
    asked.once('error', reject).end(body);
    return promise;
  }

  return {
    get localAddress() {
      return localAddress;
    },
    async call(method, ...parameters) {
      const params = secret ? [`token:${secret}`, ...parameters] : parameters;
      const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method: `aria2.${method}`, params });
      try {
        const { result, error } = JSON.parse(await guard.trusted(() => post(body))) as {
          result?: never;
          error?: { message: string };
        };
        if (error) throw new Aria2Refused(error.message);
        return result as never;
      } catch (error) {
        if (error instanceof Aria2Refused) throw error;
        throw new FetchFailed('unavailable', { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}
