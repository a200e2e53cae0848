import { createHash } from 'node:crypto';
import {
  captchaSign,
  ENDPOINTS,
  pathOf,
  shieldApi,
  WEB_CLIENT_VERSION,
  WEB_PACKAGE_NAME,
  type EndpointSpec,
} from '@bowerbird/contract';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** Id of a client that is not one of our pages, and of the device it runs on. */
const PROGRAM = 'a-program';
const DEVICE = 'd'.repeat(32);
const NAMES = new Set(['username', 'email', 'phone_number']);
const now = (): string => String(Date.now());

/** Metadata that a client sends when it requests a captcha token, signed like our own pages do. */
export function signedMeta(clientId: string, deviceId: string, timestamp: string = now()) {
  const said = { clientVersion: WEB_CLIENT_VERSION, packageName: WEB_PACKAGE_NAME, timestamp };
  const sign = captchaSign({ clientId, deviceId, ...said }, (text) =>
    createHash('md5').update(text).digest('hex'),
  );
  return {
    captcha_sign: sign,
    client_version: said.clientVersion,
    package_name: said.packageName,
    timestamp,
    user_id: '',
  };
}

/** Requests a captcha token: sends this body with these headers to the path of captcha/init. */
export type AskCaptcha = (
  path: string,
  headers: Record<string, string>,
  body: string,
) => Promise<{ captcha_token?: string }>;

/**
 * Returns the headers for a call that needs a captcha token: a new token, and the ids of the client and the
 * device. Members need none for reading.
 */
export async function captchaHeaders(
  ask: AskCaptcha,
  spec: EndpointSpec,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const isMember = [headers['authorization'], headers['cookie']].some(Boolean);
  const needsNone = spec.captcha === undefined || (isMember && spec.credentials !== 'none');
  if (needsNone || headers['x-captcha-token'] !== undefined || body['captcha_token'] !== undefined) return {};
  const word = (...values: unknown[]): string =>
    values.find((value) => value !== undefined && value !== '') as string;
  const client = word(body['client_id'], headers['x-client-id'], PROGRAM);
  const device = word(headers['x-device-id'], DEVICE);
  const told = { 'x-client-id': client, 'x-device-id': device };
  const names = Object.fromEntries(Object.entries(body).filter(([name]) => NAMES.has(name)));
  const { captcha_token: token } = await ask(
    shieldApi.captchaInit.path,
    { 'content-type': 'application/json', ...told },
    JSON.stringify({
      client_id: client,
      device_id: device,
      action: `${spec.method}:${pathOf(spec)}`,
      meta: { ...names, ...signedMeta(client, device) },
    }),
  );
  return { ...told, ...(token === undefined ? {} : { 'x-captcha-token': token }) };
}

/** Returns the captcha headers of a visitor's client for a call; they are valid for five minutes. */
export const captchaTold = (
  http: Pick<FastifyInstance, 'inject'>,
  spec: EndpointSpec,
): Promise<Record<string, string>> =>
  captchaHeaders(
    async (url, headers, payload) => (await http.inject({ method: 'POST', url, headers, payload })).json(),
    spec,
    {},
    {},
  );

/** Returns the endpoint of a request if it needs a captcha token. */
function specOf({ method = 'GET', url }: InjectOptions): EndpointSpec | undefined {
  const path = typeof url === 'string' ? url.split('?', 1)[0] : url?.pathname;
  return ENDPOINTS.find(
    (spec) => spec.captcha !== undefined && spec.path === path && spec.method === method.toUpperCase(),
  );
}

function fieldsOf(payload: unknown): Record<string, unknown> {
  if (typeof payload !== 'string') return (payload ?? {}) as Record<string, unknown>;
  return payload.startsWith('{')
    ? (JSON.parse(payload) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(payload));
}

/** Makes requests like a client that gets itself a captcha token whenever a call needs one. */
export function withCaptcha(http: Pick<FastifyInstance, 'inject'>) {
  return async (request: InjectOptions): Promise<LightMyRequestResponse> => {
    const spec = specOf(request);
    if (!spec) return http.inject(request);
    const { remoteAddress, headers = {} } = request;
    const ask: AskCaptcha = async (url, told, payload) => {
      const place = remoteAddress === undefined ? {} : { remoteAddress };
      return (await http.inject({ method: 'POST', url, headers: told, payload, ...place })).json();
    };
    const captcha = await captchaHeaders(ask, spec, fieldsOf(request.payload), headers);
    return http.inject({ ...request, headers: { ...headers, ...captcha } });
  };
}
