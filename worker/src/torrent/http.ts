import { Agent, fetch } from 'undici';

/** Small HTTP requests to strangers' servers, with limits on time and size. */
export interface Http {
  get(
    address: string,
    options: {
      readonly headers?: Record<string, string>;
      readonly most: number;
      readonly signal: AbortSignal;
    },
  ): Promise<Reply>;
  /** Closes all connections. */
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: Buffer;
}

export const USER_AGENT = 'Bowerbird/1.0';

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

export function createHttp(): Http {
  const agent = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connections: 4,
  });
  return {
    async get(address, { headers, most, signal }) {
      const response = await fetch(address, {
        dispatcher: agent,
        signal,
        headers: { ...headers, 'user-agent': USER_AGENT, 'accept-encoding': 'identity' },
      });
      const chunks: Uint8Array[] = [];
      let size = 0;
      // Leaving the loop closes the connection.
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > most) throw new Error(`More than ${most} bytes`);
      }
      return { status: response.status, headers: response.headers, body: Buffer.concat(chunks) };
    },
    close: () => agent.destroy(),
  };
}
