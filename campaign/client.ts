import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, pathOf, type EndpointSpec, type InputOf, type ReplyOf } from '@bowerbird/contract';
import { basic, callTo, signV4 } from '../server/testing/index.ts';
import type { UploadTicket } from '@bowerbird/contract';
import type { Findings } from './findings.ts';
import type { Random } from './random.ts';

/** Responses that mean that the effect is unknown, or that the service is temporarily unavailable. */
const AWAY = new Set([429, 502, 503, 504, 507]);
/** No request of this load takes longer than this if the service works. */
const LONGEST_MS = 60_000;

/** `lost` if there was no response or the service was unavailable: the request may or may not have had its effect. */
export type Answer<T> =
  | { readonly kind: 'done'; readonly status: number; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'lost' };

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A member's programs: one uses the API, one WebDAV, one uploads. They connect to any server of the service. */
export class Client {
  readonly credentials: Credentials;
  readonly #origins: () => readonly string[];
  readonly #random: Random;
  readonly #findings: Findings;
  #token = '';

  constructor(
    origins: () => readonly string[],
    credentials: Credentials,
    random: Random,
    findings: Findings,
  ) {
    this.#origins = origins;
    this.credentials = credentials;
    this.#random = random;
    this.#findings = findings;
  }

  /** Signs in, however long the service is unavailable. */
  async signIn(): Promise<void> {
    const { email, password } = this.credentials;
    for (;;) {
      try {
        const grant = await callTo(this.#origin())(accountApi.signIn, {
          body: { username: email, password },
        });
        this.#token = grant.access_token!;
        return;
      } catch {
        await sleep(500);
      }
    }
  }

  call<S extends EndpointSpec>(
    spec: S,
    input: InputOf<S>,
    headers: Record<string, string> = {},
  ): Promise<Answer<ReplyOf<S>>> {
    const { params, query, body } = input as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: object;
    };
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    return this.#send(
      spec.method,
      this.#origin() + pathOf(spec, params) + search,
      {
        'content-type': 'application/json',
        authorization: `Bearer ${this.#token}`,
        ...headers,
      },
      body && JSON.stringify(body),
      async (response) => (await response.json()) as ReplyOf<S>,
    );
  }

  dav(
    method: string,
    path: string,
    { body, headers = {} }: { body?: Uint8Array; headers?: Record<string, string> } = {},
  ): Promise<Answer<Buffer>> {
    const origin = this.#origin();
    const { email, password } = this.credentials;
    const to = headers['destination'];
    return this.#send(
      method,
      `${origin}/dav${encodeURI(path)}`,
      {
        authorization: basic(email, password),
        ...headers,
        ...(to === undefined ? {} : { destination: `${origin}/dav${encodeURI(to)}` }),
      },
      body,
      async (response) => Buffer.from(await response.arrayBuffer()),
    );
  }

  /** Sends a request for the object of an upload ticket; returns the response's text and ETag. */
  object(
    ticket: UploadTicket['params'],
    method: string,
    query = '',
    body?: Uint8Array | string,
  ): Promise<Answer<{ text: string; etag: string }>> {
    const origin = this.#origin();
    const path = `/${ticket.bucket}/${ticket.key}`;
    const { host, ...headers } = signV4(ticket, {
      method,
      path,
      query,
      host: new URL(origin).host,
      at: Date.now(),
    });
    void host;
    return this.#send(
      method,
      `${origin}${path}${query && `?${query}`}`,
      { 'content-type': 'application/octet-stream', ...headers },
      body,
      async (response) => ({ text: await response.text(), etag: response.headers.get('etag') ?? '' }),
    );
  }

  #origin(): string {
    return this.#random.pick(this.#origins());
  }

  async #send<T>(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: Uint8Array | string | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<Answer<T>> {
    this.#findings.count('requests');
    const started = performance.now();
    try {
      const response = await fetch(url, {
        method,
        headers,
        signal: AbortSignal.timeout(LONGEST_MS),
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      const { status } = response;
      if (response.ok) return { kind: 'done', status, value: await read(response) };
      const text = await response.text();
      if (AWAY.has(status)) {
        this.#findings.count(`answers ${status}`);
        if ((status === 503 || status === 507) && !response.headers.has('retry-after'))
          this.#findings.add(`${method} ${new URL(url).pathname}: ${status} without Retry-After`);
        return { kind: 'lost' };
      }
      if (status >= 500) {
        this.#findings.add(`${method} ${new URL(url).pathname}: ${status} ${text.slice(0, 200)}`);
        return { kind: 'lost' };
      }
      return { kind: 'refused', status, text };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError')
        this.#findings.add(
          `${method} ${new URL(url).pathname}: no answer after ${Math.round(performance.now() - started)} ms`,
        );
      this.#findings.count('answers lost');
      return { kind: 'lost' };
    }
  }
}
