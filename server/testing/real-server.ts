import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathOf, type EndpointSpec, type InputOf, type ReplyOf } from '@bowerbird/contract';
import { captchaHeaders, type AskCaptcha } from './captcha.ts';
import { processEnvironment } from './process-environment.ts';
import { serverProgram } from './server-program.ts';

/**
 * Calls an endpoint of the contract, with a captcha token if it needs one, and with a bearer token and an
 * idempotency key if they are given.
 */
export type RemoteCall = <S extends EndpointSpec>(
  spec: S,
  input: InputOf<S>,
  token?: string,
  idempotencyKey?: string,
) => Promise<ReplyOf<S>>;

/** Sends a request like `fetch`. */
export type Send = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string | Buffer<ArrayBuffer> },
) => Promise<Response>;

export function callTo(origin: string, sent: Send = fetch): RemoteCall {
  return async (spec, input, token = '', idempotencyKey = '') => {
    const { params, query, body } = input as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: object;
    };
    const said = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const ask: AskCaptcha = async (path, told, text) =>
      (await sent(origin + path, { method: 'POST', headers: told, body: text })).json() as never;
    const fields = (body ?? {}) as Record<string, unknown>;
    const headers = { ...said, ...(await captchaHeaders(ask, spec, fields, said)) };
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const reply = await sent(`${origin}${pathOf(spec, params)}${search}`, {
      method: spec.method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as ReplyOf<typeof spec>;
  };
}

/** The product in its own process, for tests that kill it. */
export interface RealServer extends AsyncDisposable {
  readonly origin: string;
  /** Its environment; with `readConfig` a test can open the same installation in its own process. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Starts the server and waits until it is ready. With `killedAfter`, such as `insert into node` or `delete
   * from node`, it kills itself right after the commit of the first such statement.
   */
  start(options?: { readonly killedAfter?: `${'insert into' | 'delete from'} ${string}` }): Promise<void>;
  /** Waits until the process has ended. */
  ended(): Promise<void>;
  /** Kills the process like a power cut would. */
  kill(): Promise<void>;
  readonly call: RemoteCall;
}

const DYING = join(import.meta.dirname, 'programs/dying-server.ts');

export async function realServer(settings: Readonly<Record<string, string>> = {}): Promise<RealServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-crash-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const origin = `http://127.0.0.1:${port}`;
  const environment = {
    DATA_DIR: folder,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...settings,
  };
  let server: ChildProcess | undefined;

  const isRunning = (): boolean => server?.exitCode === null && server.signalCode === null;

  async function ended(): Promise<void> {
    if (isRunning()) await once(server!, 'exit');
  }

  async function kill(): Promise<void> {
    if (isRunning()) server!.kill('SIGKILL');
    await ended();
  }

  return {
    origin,
    environment,
    async start({ killedAfter } = {}) {
      const program = killedAfter === undefined ? [serverProgram] : [DYING, killedAfter];
      server = spawn(process.execPath, [...program, 'serve', '--api'], {
        env: { ...processEnvironment, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: server.stdout! }))
        if (line.includes('is ready')) return;
      throw new Error('The server ended before it was ready');
    },
    kill,
    ended,
    call: callTo(origin),
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
