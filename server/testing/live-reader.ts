import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIVE_PATH, type LiveTopic } from '@bowerbird/contract';
import type { App } from '../src/app.ts';

/** An event of the stream. */
interface LiveEvent {
  readonly name: string;
  readonly data: { readonly topics?: readonly LiveTopic[]; readonly within_ms?: number };
  readonly id: string | undefined;
}

/** A client that reads a stream of events over a real connection. */
export interface LiveReader extends Disposable {
  readonly response: IncomingMessage;
  readonly events: readonly LiveEvent[];
  /** Resolves with the first event that fits and was not returned before. */
  next(name: LiveEvent['name'], topic?: LiveTopic): Promise<LiveEvent>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
}

/** Opens a stream at a server, or at an app, which listens from then on. Rejects with the status of a refusal. */
export async function readLive(
  at: Pick<App, 'http'> | { readonly origin: string },
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  { query = '', ...extra }: { readonly query?: string; readonly 'last-event-id'?: string } = {},
): Promise<LiveReader> {
  const port = 'origin' in at ? new URL(at.origin).port : await portOf(at);
  const sent = request({
    port,
    host: '127.0.0.1',
    path: LIVE_PATH + query,
    headers: { host: 'drive.test', ...headers, ...extra },
    agent: false,
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) {
    sent.destroy();
    throw new Error(String(response.statusCode));
  }
  return following(sent, response);
}

async function portOf({ http }: Pick<App, 'http'>): Promise<number> {
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' });
  return (http.server.address() as AddressInfo).port;
}

function following(sent: ClientRequest, response: IncomingMessage): LiveReader {
  const events: LiveEvent[] = [];
  const waiting = new Set<() => void>();
  let taken = 0;
  let rest = '';
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  sent.on('error', () => end());
  response.on('error', () => end());
  response.on('close', () => end());
  response.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1];
      const name = field('event');
      if (name !== undefined)
        events.push({ name, data: JSON.parse(field('data')!) as LiveEvent['data'], id: field('id') });
    }
    for (const look of [...waiting]) look();
  });
  return {
    response,
    events,
    ended,
    next: (name, topic) =>
      new Promise((resolve) => {
        const look = (): void => {
          const at = events.findIndex(
            (event, index) =>
              index >= taken && event.name === name && (!topic || event.data.topics?.includes(topic)),
          );
          if (at === -1) return;
          taken = at + 1;
          waiting.delete(look);
          resolve(events[at]!);
        };
        waiting.add(look);
        look();
      }),
    [Symbol.dispose]: () => void sent.destroy(),
  };
}
