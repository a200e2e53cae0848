import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { WebSpec } from '@bowerbird/contract';

/** Headers that control the connection and the transfer; members cannot set them. */
const OURS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-none-match',
  'if-range',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Headers without secrets, which may be sent to another origin after a redirect. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent']);
const DEFAULTS = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (compatible; Bowerbird)' };

/** Returns the headers for a request. The member's secrets are only sent to the origin of the member's address. */
export function headersFor({ url, headers = {} }: WebSpec, target: URL): Record<string, string> {
  const given = new URL(url);
  const atHome = given.origin === target.origin;
  const mine = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => isSendable(name, value) && (atHome || HARMLESS.has(name)));
  const credentials = atHome && given.username ? { authorization: basicOf(given) } : {};
  return { ...DEFAULTS, ...credentials, ...Object.fromEntries(mine), 'accept-encoding': 'identity' };
}

function isSendable(name: string, value: string): boolean {
  if (OURS.has(name)) return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function basicOf({ username, password }: URL): string {
  const pair = `${decode(username)}:${decode(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
