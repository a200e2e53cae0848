/**
 * First-party programs that know the owner of this browser: the native app around the page, the desktop app
 * on this machine, the browser extension. Each returns a code that is valid once and for one minute; the
 * reasons for failures are only logged.
 */

const SOON_MS = 2000;
const LATER_MS = 5000;

/** Interface that the native app adds to its pages. It answers with JSON: `{ "code": 0, "data": … }`. */
interface NativeBridge {
  invoke(method: string, params: string): string | Promise<string>;
}

/** Error of a bridge: 404 if it has no such method, -2 if its answer can't be parsed. */
export class BridgeFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'BridgeFailure';
    this.code = code;
  }
}

interface Surroundings {
  readonly bowerbirdBridge?: NativeBridge;
  readonly chrome?: {
    readonly runtime?: {
      sendMessage?(id: string, message: unknown, answer: (reply: unknown) => void): void;
    };
  };
}

const around = (): Surroundings => window as unknown as Surroundings;

async function callBridge(method: string): Promise<unknown> {
  const bridge = around().bowerbirdBridge;
  if (typeof bridge?.invoke !== 'function') throw new BridgeFailure(404, 'method is not declared');
  const text = await bridge.invoke(method, '{}');
  try {
    const { code, data } = JSON.parse(text) as { code: number; data: unknown };
    if (code === 0) return data;
    throw new BridgeFailure(code, 'method is not declared');
  } catch (error) {
    if (error instanceof BridgeFailure) throw error;
    throw new BridgeFailure(-2, 'process response data error!');
  }
}

function codeOf(answer: unknown): string {
  const code = (answer as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string' || code === '' || code.length > 256) throw new Error('no code was returned');
  return code;
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no response within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, late]);
}

export const codeOfBridge = async (): Promise<string> =>
  codeOf(await within(SOON_MS, callBridge('auth_code')));

/** Asks the desktop app, which listens only on this machine. */
export async function codeOfDesktop(port: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/auth-code`, {
    signal: AbortSignal.timeout(LATER_MS),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  return codeOf(await reply.json());
}

function tellExtension(id: string, message: unknown): Promise<unknown> {
  const send = around().chrome?.runtime?.sendMessage;
  if (!send) return Promise.reject(new Error('this browser has no extension for the page'));
  return within(SOON_MS, new Promise((resolve) => send(id, message, resolve)));
}

/** Asks the first extension that answers; otherwise one whose script runs in this page. */
export async function codeOfExtension(ids: readonly string[]): Promise<string> {
  const asked = ids.map(async (id) => codeOf(await tellExtension(id, { type: 'pp_auth_code' })));
  return Promise.any([...asked, codeOfPageScript()]);
}

function codeOfPageScript(): Promise<string> {
  const heard = Promise.withResolvers<string>();
  const listen = ({
    source,
    origin,
    data,
  }: MessageEvent<{ source?: string; type?: string } | null>): void => {
    const isIt = source === window && origin === window.location.origin;
    if (isIt && data?.source === 'pp_browser_extension' && data.type === 'pp_auth_code') {
      try {
        heard.resolve(codeOf(data));
      } catch (error) {
        heard.reject(error as Error);
      }
    }
  };
  window.addEventListener('message', listen);
  window.postMessage({ source: 'pp_page', type: 'pp_auth_code' }, window.location.origin);
  return within(SOON_MS, heard.promise).finally(() => window.removeEventListener('message', listen));
}

/** Sends a code only to the operator's own extensions, not to other listeners in the page. */
export async function handToExtension(
  ids: readonly string[],
  makeCode: () => Promise<string>,
): Promise<void> {
  if (!around().chrome?.runtime?.sendMessage) return;
  for (const id of ids) await tellExtension(id, { type: 'pp_auth_code', code: await makeCode() });
}
