import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathOf, type EndpointSpec, type InputOf, type ReplyOf } from '@bowerbird/contract';
import { captchaHeaders, type AskCaptcha } from './captcha.ts';

/** Makes calls of the contract, with a captcha token where they need one, and a bearer token where one is given. */
export type RemoteCall = <S extends EndpointSpec>(
  spec: S,
  input: InputOf<S>,
  token?: string,
) => Promise<ReplyOf<S>>;

export function callTo(origin: string): RemoteCall {
  return async (spec, input, token = '') => {
    const { params, query, body } = input as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: object;
    };
    const said = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const ask: AskCaptcha = async (path, told, text) =>
      (await fetch(origin + path, { method: 'POST', headers: told, body: text })).json() as never;
    const fields = (body ?? {}) as Record<string, unknown>;
    const headers = { ...said, ...(await captchaHeaders(ask, spec, fields, said)) };
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const reply = await fetch(`${origin}${pathOf(spec, params)}${search}`, {
      method: spec.method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as ReplyOf<typeof spec>;
  };
}

/** The product as a process of its own, for tests that kill it. */
export interface RealServer extends AsyncDisposable {
  readonly origin: string;
  /** What it is told; `readConfig` of this opens the same installation in the test's own process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts it and waits until it says that it is ready. */
  start(): Promise<void>;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  readonly call: RemoteCall;
}

const MAIN = join(import.meta.dirname, '../src/main.ts');

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

  async function kill(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  return {
    origin,
    environment,
    async start() {
      server = spawn(process.execPath, [MAIN, 'serve', '--api'], {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: server.stdout! }))
        if (line.includes('is ready')) return;
      throw new Error('The server ended before it was ready');
    },
    kill,
    call: callTo(origin),
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
