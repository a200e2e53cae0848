import { readFileSync } from 'node:fs';
import { GRANT_SCOPES, GRANT_TYPES, type GrantType } from '@bowerbird/contract';
import { digest, isRedirectUri, readScopes, type Client } from './oauth.ts';

/** Clients of this product: they have no secret, because their code is public. */
const OWN: readonly Client[] = [
  own('bowerbird-desktop', 'Bowerbird for desktop', [
    'http://127.0.0.1/',
    'http://[::1]/',
    'bowerbird:/auth',
  ]),
  own('bowerbird-mobile', 'Bowerbird for phones', ['bowerbird:/auth']),
  own('bowerbird-tv', 'Bowerbird for TV', []),
];

function own(id: string, name: string, redirectUris: readonly string[]): Client {
  const grantTypes =
    redirectUris.length > 0 ? GRANT_TYPES : GRANT_TYPES.filter((type) => type !== 'authorization_code');
  return {
    id,
    name,
    redirectUris,
    grantTypes,
    secretHash: undefined,
    uri: '',
    scopes: GRANT_SCOPES,
    standing: 'own',
  };
}

/** Our own clients, and those of the administrator's file. Throws a sentence about an error in it. */
export function knownClients(file: string | undefined): Client[] {
  if (file === undefined) return [...OWN];
  const wrong = (what: string): never => {
    throw new Error(`OAUTH_CLIENTS: ${file} ${what}`);
  };
  const entries = JSON.parse(readFileSync(file, 'utf8')) as unknown;
  if (!Array.isArray(entries)) return wrong('must contain a list');
  const clients = entries.map((entry: unknown, at) => {
    const told = entry as Record<string, unknown>;
    const text = (name: string): string | undefined => {
      const value = told[name];
      if (value !== undefined && typeof value !== 'string')
        wrong(`has a ${name} that isn’t a string (item ${at + 1})`);
      return value as string | undefined;
    };
    const list = (name: string): readonly string[] => {
      const value = told[name] ?? [];
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
        wrong(`has ${name} that isn’t a list of strings (item ${at + 1})`);
      return value as string[];
    };
    const id = text('client_id') ?? '';
    if (!/^[\w.-]{1,128}$/.test(id)) wrong(`has a missing or invalid client_id (item ${at + 1})`);
    const redirectUris = list('redirect_uris');
    if (!redirectUris.every((uri) => isRedirectUri(uri, 'known')))
      wrong(`has an invalid redirect_uri (${id})`);
    const asked = list('grant_types');
    if (!asked.every((type) => GRANT_TYPES.includes(type as GrantType)))
      wrong(`has unknown grant_types (${id})`);
    const secret = text('client_secret');
    const client: Client = {
      id,
      secretHash: secret === undefined ? undefined : digest(secret),
      name: text('client_name') ?? id,
      uri: text('client_uri') ?? '',
      redirectUris,
      grantTypes: asked.length > 0 ? (asked as GrantType[]) : GRANT_TYPES,
      scopes: GRANT_SCOPES,
      standing: 'known',
    };
    return { ...client, scopes: readScopes(text('scope'), client) };
  });
  return [...OWN, ...clients];
}
