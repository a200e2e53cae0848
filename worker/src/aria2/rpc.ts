import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { FetchFailed } from '../fetch/engine.ts';
import type { Guard } from '../guard/index.ts';

/** A JSON-RPC connection to aria2. */
export interface Aria2 {
  /** Rejects with {@link Aria2Refused}, or with {@link FetchFailed} if aria2 does not answer. */
  call<T>(method: string, ...parameters: unknown[]): Promise<T>;
  /** Address of this machine as aria2 sees it; known after the first call. */
  readonly localAddress: string;
  close(): void;
}

/** aria2 answered with an error. */
export class Aria2Refused extends Error {
  override name = 'Aria2Refused';
}

const TIMEOUT_MS = 10_000;
const LOOPBACK = '127.0.0.1';

/** Connects to the JSON-RPC interface at `address`, which may have `token:` and a secret before the host. */
export function connectAria2(address: string, guard: Guard): Aria2 {
  const url = new URL(address);
  const secret = decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  const isSecure = url.protocol === 'https:';
  // Separate connections: aria2 may be at an address that untrusted work must not connect to.
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
    const signal = AbortSignal.timeout(TIMEOUT_MS);
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
