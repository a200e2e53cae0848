import { request as requestHttps } from 'node:https';
import { publicLookup } from '../foundation/index.ts';

/** Sends a message to a push service. Resolves with the status of the response; rejects if there is none. */
export type SendPush = (
  endpoint: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
) => Promise<number>;

const TIMEOUT_MS = 10_000;

/**
 * Endpoints come from browsers, which members control: only public addresses are contacted, redirects aren't followed,
 * and nothing of a response is read but its status.
 */
export const sendPush: SendPush = (endpoint, headers, body) =>
  new Promise((resolve, reject) => {
    const request = requestHttps(
      endpoint,
      {
        method: 'POST',
        agent: false,
        timeout: TIMEOUT_MS,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        lookup: publicLookup,
        headers: { ...headers, 'content-length': String(body.byteLength) },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('The push service does not respond')));
    request.end(body);
  });
