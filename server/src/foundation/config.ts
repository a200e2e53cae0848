import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { readSize } from './size.ts';

interface Setting<T> {
  readonly what: string;
  readonly defaultText: string;
  /** Throws an error that explains what is wrong. */
  readonly read: (text: string) => T;
}

const setting = <T>(what: string, defaultText: string, read: (text: string) => T): Setting<T> => ({
  what,
  defaultText,
  read,
});
const text = (value: string): string => value;
const optional = (value: string): string | undefined => (value === '' ? undefined : value);

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new Error('must be a port, 0 to 65535');
  return number;
}

function origin(value: string): string | undefined {
  if (value === '') return undefined;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('must be a web address such as https://drive.example.org');
  return url.origin;
}

function urlOf(...schemes: string[]): (value: string) => string | undefined {
  return (value) => {
    if (value === '') return undefined;
    if (!URL.parse(value) || !schemes.some((scheme) => value.startsWith(`${scheme}:`)))
      throw new Error(`must begin with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}`);
    return value;
  };
}

function flag(value: string): boolean {
  if (!/^(true|false|1|0)$/.test(value)) throw new Error('must be true or false');
  return value === 'true' || value === '1';
}

/** Sign-up: open to anybody, after approval by an operator, or closed. */
export type SignUp = 'open' | 'approval' | 'closed';

function signUp(value: string): SignUp {
  if (value === 'approval') return value;
  if (!/^(true|false|1|0)$/.test(value)) throw new Error('must be true, false or approval');
  return flag(value) ? 'open' : 'closed';
}

function count(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error('must be a whole number');
  return Number(value);
}

function closingDays(value: string): number {
  const days = Number(value);
  if (!/^\d{1,3}$/.test(value) || days < 1 || days > 365) throw new Error('must be 1 to 365 days');
  return days;
}

function stopSeconds(value: string): number {
  const seconds = Number(value);
  if (!/^\d{1,4}$/.test(value) || seconds < 1 || seconds > 3600) throw new Error('must be 1 to 3600 seconds');
  return seconds;
}

function ratio(value: string): number {
  if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(value)) throw new Error('must be a number such as 1.5');
  return Number(value);
}

function networks(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of list) {
    const [address = '', bits = ''] = entry.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
      throw new Error(`must be networks such as 192.168.1.0/24, not ${entry}`);
  }
  return list;
}

function countries(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim().toUpperCase())
    .filter((entry) => entry !== '');
  for (const entry of list)
    if (!/^[A-Z]{2}$/.test(entry)) throw new Error(`must be countries such as DE, FR, not ${entry}`);
  return list;
}

function proxies(value: string): false | string[] {
  return value === '' ? false : value.split(',').map((entry) => entry.trim());
}

function origins(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => origin(entry)!);
}

function domains(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  for (const entry of list)
    if (!/^[^\s@,/]+\.[^\s@,/]+$/.test(entry))
      throw new Error(`must be domains such as example.org, not ${entry}`);
  return list;
}

function identifiers(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of list) if (!/^[\w-]{1,64}$/.test(entry)) throw new Error(`must be ids, not ${entry}`);
  return list;
}

const CAPTCHA_POLICIES = ['off', 'adaptive', 'always'] as const;

function captchaPolicy(value: string): (typeof CAPTCHA_POLICIES)[number] {
  const policy = CAPTCHA_POLICIES.find((one) => one === value);
  if (!policy) throw new Error('must be off, adaptive or always');
  return policy;
}

function level(value: string): string {
  if (!['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(value))
    throw new Error('must be trace, debug, info, warn, error, fatal or silent');
  return value;
}

/** All settings of the environment. docs/operations.md is generated from this table (`npm run settings`). */
export const SETTINGS = {
  PORT: setting('Port to listen on', '3000', port),
  HOST: setting('Address to listen on', '0.0.0.0', text),
  DATA_DIR: setting('Folder of the database, the files, the secrets and the outbox', './data', (value) =>
    resolve(value),
  ),
  SITE_URL: setting(
    'Public address of the site, for links in mails and shares; the request’s own where unset',
    '',
    origin,
  ),
  DATABASE_URL: setting(
    'postgres://… ; SQLite in the data folder where unset',
    '',
    urlOf('postgres', 'postgresql'),
  ),
  STORAGE_URL: setting(
    's3://KEY:SECRET@host/bucket ; the data folder where unset',
    '',
    urlOf('s3', 'file', 'memory'),
  ),
  SMTP_URL: setting(
    'smtp://… ; where unset, no mail is sent, and sign-up needs no mailed code',
    '',
    urlOf('smtp', 'smtps'),
  ),
  MAIL_FROM: setting('Sender of mails', 'Bowerbird <bowerbird@localhost>', text),
  SMS_URL: setting(
    'twilio://SID:TOKEN@api.twilio.com?from=+15005550006 for codes by text message; outbox: writes them to outbox/ in the data folder; without it no phone numbers are asked for',
    '',
    urlOf('twilio', 'twilio+http', 'outbox'),
  ),
  SMS_COUNTRIES: setting(
    'Countries that text messages go to, as in DE, AT, comma separated; none else gets any',
    '',
    countries,
  ),
  SMS_DAILY: setting('Text messages a day to one country', '200', count),
  OPERATOR_NAME: setting(
    'Who runs the service, as its policies say; the host name of the site where unset',
    '',
    optional,
  ),
  CONTACT_ADDRESS: setting('E-mail address that the public pages name for questions', '', optional),
  OPERATOR_EMAIL: setting(
    'Creates the operator on the first start, together with OPERATOR_PASSWORD',
    '',
    optional,
  ),
  OPERATOR_PASSWORD: setting('Password of that operator', '', optional),
  STATISTICS: setting(
    'Whether pages count what happens on them, by the day and without a trace of who it was',
    'true',
    flag,
  ),
  SIGN_UP: setting(
    'Whether strangers may open accounts; with approval, whoever signs up waits until an operator lets them in (user admit), but not who comes by OpenID',
    'true',
    signUp,
  ),
  CLOSING_DAYS: setting(
    'Days for which a member who closes the account can take that back, before all of it is deleted',
    '14',
    closingDays,
  ),
  STOP_SECONDS: setting(
    'Seconds that running requests have to end when the server is told to stop; container hosts kill after 10',
    '8',
    stopSeconds,
  ),
  MEMBER_STORAGE: setting('Storage that a member has', '10 GB', readSize),
  DISK_RESERVE: setting(
    'Free disk that uploads leave untouched, so that the database stays writable',
    '512 MB',
    readSize,
  ),
  DISK_WARNING: setting(
    'Free disk below which operators are warned, by mail and in /readyz, before uploads are refused',
    '5 GB',
    readSize,
  ),
  OFFLINE_DAILY: setting('Links that a member may have fetched a day; 0 without limit', '0', count),
  OFFLINE_RUNNING: setting('Links of one member that are fetched at once; the others wait', '5', count),
  OFFLINE_SLOTS: setting(
    'Links that one process fetches at once; 0 leaves fetching to other processes',
    '8',
    count,
  ),
  OFFLINE_SIZE: setting('Size that one link may lead to', '1 TB', readSize),
  OFFLINE_TRAFFIC: setting('Bytes that a member may have fetched a day; 0 without limit', '0', readSize),
  OFFLINE_RATE: setting('Bytes a second that are fetched at most; 0 without limit', '0', readSize),
  SEED_RATIO: setting(
    'How many times over a fetched torrent is given back to others; 0 stops when it is whole',
    '0',
    ratio,
  ),
  SEED_MINUTES: setting('For how long at most', '60', count),
  FETCH_ALLOW: setting(
    'Private networks that links may lead to, as in 192.168.1.0/24, comma separated; none else is ever reached',
    '',
    networks,
  ),
  SCRATCH_DIR: setting(
    'Folder for torrents that are not whole yet; scratch/ in the data folder where unset',
    '',
    optional,
  ),
  ARIA2_URL: setting(
    'http://token:SECRET@host:6800/jsonrpc of an aria2 that fetches instead, and sees the same scratch folder',
    '',
    urlOf('http', 'https'),
  ),
  API_ORIGINS: setting(
    'Addresses under which the pages of SITE_URL reach the API, tried in turn, comma separated; the site’s own where unset',
    '',
    origins,
  ),
  FRAME_ORIGINS: setting(
    'Sites that may show pages of this one inside their own, comma separated; none where unset',
    '',
    origins,
  ),
  CAPTCHA: setting(
    'When visitors must let their browser work out a challenge: off, adaptive (where there is reason to) or always',
    'adaptive',
    captchaPolicy,
  ),
  OAUTH_CLIENTS: setting(
    'JSON file with programs that may ask members to be let in: client_id, client_secret, client_name, client_uri, redirect_uris, grant_types, scope',
    '',
    (value) => (value === '' ? undefined : resolve(value)),
  ),
  OAUTH_REGISTRATION: setting('Whether programs may make themselves known (RFC 7591)', 'true', flag),
  EXTENSION_IDS: setting(
    'Ids of browser extensions of yours that may sign their owner in, comma separated',
    '',
    identifiers,
  ),
  OPENID_ISSUER: setting(
    'Address of an OpenID provider whose accounts are good here too, as in https://login.example.org',
    '',
    urlOf('https', 'http'),
  ),
  OPENID_CLIENT_ID: setting('What this service is called there', '', optional),
  OPENID_CLIENT_SECRET: setting('Its secret there; none for a public client', '', optional),
  OPENID_LABEL: setting('What that provider is called on the sign-in page', 'OpenID', text),
  OPENID_DOMAINS: setting(
    'Domains of mail that it may let in, as in example.org, comma separated; all where unset',
    '',
    domains,
  ),
  OPENID_SIGN_UP: setting('Whether somebody new opens an account by coming that way', 'false', flag),
  DEBUG_CONSOLE: setting(
    'Ids of devices and members who may open the console for finding faults in the pages, comma separated',
    '',
    identifiers,
  ),
  TRUSTED_PROXIES: setting(
    'Addresses or networks of reverse proxies whose X-Forwarded-For counts, comma separated',
    '',
    proxies,
  ),
  COUNTRY_HEADER: setting(
    'Header in which those proxies say the country of a visitor, as in cf-ipcountry',
    '',
    (value) => optional(value.toLowerCase()),
  ),
  BLOCKED_COUNTRIES: setting(
    'Countries in which the service is not offered, by their two letters, comma separated',
    '',
    countries,
  ),
  BLOCKED_NETWORKS: setting(
    'Networks to which the service is not offered, as in 192.0.2.0/24, comma separated',
    '',
    networks,
  ),
  SITE_DOCUMENTS: setting(
    'JSON file with what clients are told: basic, resources, external_products, activity_operation, downloads',
    '',
    (value) => (value === '' ? undefined : resolve(value)),
  ),
  SECRET: setting(
    'Secret that all keys derive from, for clusters; generated into the data folder where unset',
    '',
    (value) => {
      if (value !== '' && value.length < 32) throw new Error('must have 32 characters or more');
      return optional(value);
    },
  ),
  PATH: setting('Folders of programs; where ffmpeg is in one of them, films have pictures', '', text),
  LOG_LEVEL: setting('trace, debug, info, warn, error, fatal or silent', 'info', level),
} as const;

export type Config = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };

/** All mistakes of the environment at once. */
export class ConfigMistakes extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(
      `The settings have ${mistakes.length === 1 ? 'a mistake' : 'mistakes'}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
    );
    this.name = 'ConfigMistakes';
    this.mistakes = mistakes;
  }
}

/** Reads the environment once: validated, frozen, typed. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const mistakes: string[] = [];
  const values = Object.entries(SETTINGS).map(([name, { defaultText, read }]): [string, unknown] => {
    try {
      return [name, read(environment[name] || defaultText)];
    } catch (error) {
      mistakes.push(`${name} ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  const config = Object.fromEntries(values) as Config;
  if ((config.OPERATOR_EMAIL === undefined) !== (config.OPERATOR_PASSWORD === undefined)) {
    mistakes.push('OPERATOR_EMAIL and OPERATOR_PASSWORD go together');
  }
  if (config.OPENID_ISSUER !== undefined && config.OPENID_CLIENT_ID === undefined)
    mistakes.push('OPENID_ISSUER needs OPENID_CLIENT_ID');
  if (config.SMS_URL !== undefined && config.SMS_COUNTRIES?.length === 0)
    mistakes.push('SMS_URL needs SMS_COUNTRIES');
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes);
  return Object.freeze(config);
}

/** The installation's secret: from the settings, or generated once into the data folder, readable by its owner alone. */
export function installationSecret(config: Config): Uint8Array {
  if (config.SECRET) return Buffer.from(config.SECRET);
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(config.DATA_DIR, 'secret');
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      // Two processes may start at once; the first one's secret counts.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return Buffer.from(readFileSync(file, 'utf8').trim());
}
