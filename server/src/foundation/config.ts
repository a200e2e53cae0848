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
    throw new Error('must be a port from 0 to 65535');
  return number;
}

function origin(value: string): string | undefined {
  if (value === '') return undefined;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('must be a web address, for example https://drive.example.org');
  return url.origin;
}

function urlOf(...schemes: string[]): (value: string) => string | undefined {
  return (value) => {
    if (value === '') return undefined;
    if (!URL.parse(value) || !schemes.some((scheme) => value.startsWith(`${scheme}:`)))
      throw new Error(`must start with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}`);
    return value;
  };
}

function flag(value: string): boolean {
  if (!/^(true|false|1|0)$/.test(value)) throw new Error('must be true or false');
  return value === 'true' || value === '1';
}

/** Sign-up: open to anybody, after approval by an administrator, or closed. */
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

function daysInTrash(value: string): number {
  const days = Number(value);
  if (!/^\d{1,4}$/.test(value) || days < 1 || days > 3650) throw new Error('must be between 1 and 3650 days');
  return days;
}

function closingDays(value: string): number {
  const days = Number(value);
  if (!/^\d{1,3}$/.test(value) || days < 1 || days > 365) throw new Error('must be between 1 and 365 days');
  return days;
}

function stopSeconds(value: string): number {
  const seconds = Number(value);
  if (!/^\d{1,4}$/.test(value) || seconds < 1 || seconds > 3600)
    throw new Error('must be between 1 and 3600 seconds');
  return seconds;
}

function processes(value: string): number | undefined {
  if (value === '') return undefined;
  if (!/^\d{1,2}$/.test(value) || Number(value) < 1 || Number(value) > 64)
    throw new Error('must be a number from 1 to 64');
  return Number(value);
}

function ratio(value: string): number {
  if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(value)) throw new Error('must be a number, for example 1.5');
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
      throw new Error(`must be networks such as 192.168.1.0/24; “${entry}” isn’t one`);
  }
  return list;
}

function countries(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim().toUpperCase())
    .filter((entry) => entry !== '');
  for (const entry of list)
    if (!/^[A-Z]{2}$/.test(entry))
      throw new Error(`must be two-letter country codes such as DE, FR; “${entry}” isn’t one`);
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
      throw new Error(`must be domains such as example.org; “${entry}” isn’t one`);
  return list;
}

function identifiers(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of list)
    if (!/^[\w-]{1,64}$/.test(entry)) throw new Error(`must be IDs; “${entry}” isn’t one`);
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
  PROCESSES: setting(
    'Server processes on this machine that share the port, on Linux. If unset, one for every two processor cores and 2 GB of memory, at most four; with DATABASE_URL, one',
    '',
    processes,
  ),
  DATA_DIR: setting('Folder for the database, files, secrets and outbox', './data', (value) =>
    resolve(value),
  ),
  SITE_URL: setting(
    'Public address of the site, used for links in emails and shares. If unset, the address of each request is used',
    '',
    origin,
  ),
  DATABASE_URL: setting(
    'postgres://… If unset, SQLite in the data folder',
    '',
    urlOf('postgres', 'postgresql'),
  ),
  STORAGE_URL: setting(
    's3://KEY:SECRET@host/bucket. If unset, the data folder',
    '',
    urlOf('s3', 'file', 'memory'),
  ),
  SMTP_URL: setting(
    'smtp://… If unset, no email is sent, and sign-up doesn’t require an emailed code',
    '',
    urlOf('smtp', 'smtps'),
  ),
  MAIL_FROM: setting('Sender of emails', 'Bowerbird <bowerbird@localhost>', text),
  SMS_URL: setting(
    'Sends codes by text message, for example twilio://SID:TOKEN@api.twilio.com?from=+15005550006. outbox: writes them to outbox/ in the data folder instead. If unset, phone numbers aren’t offered',
    '',
    urlOf('twilio', 'twilio+http', 'outbox'),
  ),
  SMS_COUNTRIES: setting(
    'Countries to send text messages to, comma-separated, for example DE, AT. No other country gets any',
    '',
    countries,
  ),
  SMS_DAILY: setting('Maximum text messages per day and country', '200', count),
  STRIPE_SECRET_KEY: setting(
    'Secret key of your Stripe account (sk_… or rk_…), with which members pay for orders online. If unset, they pay by bank transfer only',
    '',
    optional,
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    'Signing secret (whsec_…) of your webhook at Stripe. Set it together with STRIPE_SECRET_KEY',
    '',
    optional,
  ),
  STRIPE_API: setting(
    'Address of Stripe’s API, for tests. If unset, https://api.stripe.com',
    '',
    urlOf('https', 'http'),
  ),
  OPERATOR_NAME: setting(
    'Who runs the service, as shown in its policies. If unset, the site’s host name',
    '',
    optional,
  ),
  CONTACT_ADDRESS: setting('Email address for questions, shown on the public pages', '', optional),
  OPERATOR_EMAIL: setting(
    'Creates an administrator account on first start. Set it together with OPERATOR_PASSWORD',
    '',
    optional,
  ),
  OPERATOR_PASSWORD: setting('Password of that account', '', optional),
  STATISTICS: setting('Whether pages count what happens on them, per day and anonymously', 'true', flag),
  SIGN_UP: setting(
    'Whether anyone can sign up: true, false or approval. With approval, new accounts wait until an administrator approves them (user admit); accounts created through OpenID don’t',
    'true',
    signUp,
  ),
  CLOSING_DAYS: setting(
    'Days in which a member can undo deleting their account, before all its data is erased',
    '14',
    closingDays,
  ),
  STOP_SECONDS: setting(
    'Seconds that running requests get to finish when the server is stopped. Container hosts usually kill the process after 10',
    '8',
    stopSeconds,
  ),
  MEMBER_STORAGE: setting('Storage per member without a plan', '10 GB', readSize),
  DISK_RESERVE: setting(
    'Free disk space that uploads leave untouched, so that the database stays writable',
    '512 MB',
    readSize,
  ),
  DISK_WARNING: setting(
    'Free disk space below which administrators are warned, by email and in /readyz, before uploads are refused',
    '5 GB',
    readSize,
  ),
  OFFLINE_DAILY: setting('Cloud downloads per member and day; 0 for no limit', '0', count),
  OFFLINE_RUNNING: setting('Cloud downloads per member that run at the same time; others wait', '5', count),
  OFFLINE_SLOTS: setting(
    'Cloud downloads that one process runs at the same time; 0 leaves them to other processes',
    '8',
    count,
  ),
  OFFLINE_SIZE: setting('Maximum size of a cloud download', '1 TB', readSize),
  OFFLINE_TRAFFIC: setting(
    'Bytes that a member can download to their drive per day; 0 for no limit',
    '0',
    readSize,
  ),
  MONTHLY_OFFLINE: setting(
    'Bytes that cloud downloads can fetch per member without a plan and month; 0 for no limit. Months start in Singapore time',
    '0',
    readSize,
  ),
  MONTHLY_DOWNLOAD: setting(
    'Bytes that a member without a plan can download per month, and as many again through their shares; 0 for no limit',
    '0',
    readSize,
  ),
  MONTHLY_UPLOAD: setting(
    'Bytes that a member without a plan can upload per month; 0 for no limit',
    '0',
    readSize,
  ),
  DOWNLOAD_SPEED: setting(
    'Bytes per second at which one process sends the files of a member without a plan, to all their connections together; 0 for no limit',
    '0',
    readSize,
  ),
  MEMBER_SHARES: setting('Active shares per member without a plan; 0 for no limit', '0', count),
  MEMBER_SUBSCRIPTIONS: setting('Subscriptions per member without a plan; 0 for no limit', '50', count),
  MEMBER_VERSIONS: setting(
    'Earlier versions that are kept of each file of a member without a plan, at most 1000; 0 keeps none',
    '100',
    count,
  ),
  MEMBER_VERSION_DAYS: setting(
    'Days for which earlier versions are kept for members without a plan; 0 for no limit',
    '30',
    count,
  ),
  TRASH_DAYS: setting(
    'Days for which deleted items stay in the trash of a member without a plan',
    '30',
    daysInTrash,
  ),
  OFFLINE_RATE: setting(
    'Maximum speed of cloud downloads in bytes per second; 0 for no limit',
    '0',
    readSize,
  ),
  SEED_RATIO: setting(
    'How many times its own size a torrent is seeded; 0 stops as soon as it’s complete',
    '0',
    ratio,
  ),
  SEED_MINUTES: setting('Maximum seeding time in minutes', '60', count),
  FETCH_ALLOW: setting(
    'Private networks that cloud downloads may access, comma-separated, for example 192.168.1.0/24. No other private network is ever contacted',
    '',
    networks,
  ),
  SCRATCH_DIR: setting('Folder for incomplete torrents. If unset, scratch/ in the data folder', '', optional),
  ARIA2_URL: setting(
    'Downloads with an external aria2 instead: http://token:SECRET@host:6800/jsonrpc. It must see the same scratch folder',
    '',
    urlOf('http', 'https'),
  ),
  API_ORIGINS: setting(
    'Addresses at which the pages of SITE_URL reach the API, tried in order, comma-separated. If unset, the site’s own',
    '',
    origins,
  ),
  FRAME_ORIGINS: setting(
    'Sites that may embed pages of this one, comma-separated. If unset, none',
    '',
    origins,
  ),
  CAPTCHA: setting(
    'When visitors’ browsers must solve a proof-of-work challenge: off, adaptive (when something looks suspicious) or always',
    'adaptive',
    captchaPolicy,
  ),
  OAUTH_CLIENTS: setting(
    'JSON file with apps that can ask members for access: client_id, client_secret, client_name, client_uri, redirect_uris, grant_types, scope',
    '',
    (value) => (value === '' ? undefined : resolve(value)),
  ),
  OAUTH_REGISTRATION: setting('Whether apps can register themselves (RFC 7591)', 'true', flag),
  EXTENSION_IDS: setting(
    'IDs of your own browser extensions that may sign their user in, comma-separated',
    '',
    identifiers,
  ),
  OPENID_ISSUER: setting(
    'Address of an OpenID provider whose accounts can sign in here, for example https://login.example.org',
    '',
    urlOf('https', 'http'),
  ),
  OPENID_CLIENT_ID: setting('Client ID of this service at that provider', '', optional),
  OPENID_CLIENT_SECRET: setting(
    'Client secret of this service at that provider. Leave it unset for a public client',
    '',
    optional,
  ),
  OPENID_LABEL: setting('Name of that provider on the sign-in page', 'OpenID', text),
  OPENID_DOMAINS: setting(
    'Email domains accepted from that provider, comma-separated, for example example.org. If unset, all',
    '',
    domains,
  ),
  OPENID_SIGN_UP: setting('Whether new people can create an account through that provider', 'false', flag),
  DEBUG_CONSOLE: setting(
    'IDs of devices and members that can open the console for debugging pages, comma-separated',
    '',
    identifiers,
  ),
  TRUSTED_PROXIES: setting(
    'Addresses or networks of reverse proxies whose X-Forwarded-For is trusted, comma-separated',
    '',
    proxies,
  ),
  COUNTRY_HEADER: setting(
    'Header in which those proxies send the visitor’s country, for example cf-ipcountry',
    '',
    (value) => optional(value.toLowerCase()),
  ),
  BLOCKED_COUNTRIES: setting(
    'Countries where the service isn’t available, as two-letter codes, comma-separated',
    '',
    countries,
  ),
  BLOCKED_NETWORKS: setting(
    'Networks for which the service isn’t available, comma-separated, for example 192.0.2.0/24',
    '',
    networks,
  ),
  SITE_DOCUMENTS: setting(
    'JSON file with content for pages and apps: basic, resources, external_products, activity_operation, downloads',
    '',
    (value) => (value === '' ? undefined : resolve(value)),
  ),
  SECRET: setting(
    'Secret that all keys are derived from; required for clusters. If unset, one is generated in the data folder',
    '',
    (value) => {
      if (value !== '' && value.length < 32) throw new Error('must have at least 32 characters');
      return optional(value);
    },
  ),
  PATH: setting('Folders to search for programs. If ffmpeg is found, videos get thumbnails', '', text),
  LOG_LEVEL: setting('trace, debug, info, warn, error, fatal or silent', 'info', level),
} as const;

export type Config = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };

/** Lists all invalid settings of the environment at once. */
export class ConfigMistakes extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(
      `${mistakes.length === 1 ? 'A setting is' : 'Some settings are'} invalid:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
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
    mistakes.push('OPERATOR_EMAIL and OPERATOR_PASSWORD must be set together');
  }
  if ((config.STRIPE_SECRET_KEY === undefined) !== (config.STRIPE_WEBHOOK_SECRET === undefined))
    mistakes.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together');
  if (config.OPENID_ISSUER !== undefined && config.OPENID_CLIENT_ID === undefined)
    mistakes.push('OPENID_ISSUER requires OPENID_CLIENT_ID');
  if (config.SMS_URL !== undefined && config.SMS_COUNTRIES?.length === 0)
    mistakes.push('SMS_URL requires SMS_COUNTRIES');
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes);
  return Object.freeze(config);
}

/**
 * Secret of the installation: from the settings, or generated once into the data folder, readable by its
 * owner only.
 */
export function installationSecret(config: Config): Uint8Array {
  if (config.SECRET) return Buffer.from(config.SECRET);
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(config.DATA_DIR, 'secret');
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      // Two processes may start at once; the first one's secret is used.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return Buffer.from(readFileSync(file, 'utf8').trim());
}
