import { ApiFailure, GRANT_SCOPES, GRANT_TYPES, type GrantType } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import { oneLine } from '../account/index.ts';
import type { Guard } from '../shield/index.ts';
import type { ClientStore } from './client-store.ts';
import { digest, isRedirectUri, isSecret, readScopes, type Client } from './oauth.ts';

/** Credentials that a client sends with a token request. */
export interface ClientProof {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

export interface NewClient {
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly redirect_uris?: readonly string[];
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  readonly token_endpoint_auth_method?: string;
  readonly scope?: string;
}

export interface Clients {
  find(sql: Sql, id: string): Promise<Client | undefined>;
  /** Returns the client if its secret is right or it has none; `invalid_client` otherwise. */
  authenticate(proof: ClientProof): Promise<Client>;
  /** Same as {@link authenticate}, but also requires that the client may use the grant. */
  entitled(proof: ClientProof, grant: GrantType): Promise<Client>;
  /** Registers a client with its own metadata; returns its secret if it has one. */
  register(
    asked: NewClient,
    address: string,
  ): Promise<{ client: Client; secret: string | undefined; at: number }>;
  /** Marks a client as used, so that it is not deleted. */
  use(tx: Tx, client: Client): Promise<void>;
  forgetOld(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const UNUSED_MS = 7 * DAY_MS;
const NAME_LENGTH = 80;

interface Parts {
  database: Database;
  store: ClientStore;
  /** Our own clients and those of the administrator's file. */
  known: readonly Client[];
  /** True if clients may register themselves. */
  isOpen: boolean;
  guard: Guard;
  clock: Clock;
  ids: Ids;
}

export function createClients({ database, store, known, isOpen, guard, clock, ids }: Parts): Clients {
  const byId = new Map(known.map((client) => [client.id, client]));

  const clients: Clients = {
    find: async (sql, id) => byId.get(id) ?? (await store.find(sql, id)),

    async authenticate({ id, secret }) {
      if (id === undefined || id === '') throw new ApiFailure('invalid_request', { field: 'client_id' });
      const client = await clients.find(database, id);
      if (!client) throw new ApiFailure('invalid_client');
      if (client.secretHash !== undefined && !isSecret(secret ?? '', client.secretHash))
        throw new ApiFailure('invalid_client');
      return client;
    },

    async entitled(proof, grant) {
      const client = await clients.authenticate(proof);
      if (!client.grantTypes.includes(grant)) throw new ApiFailure('unauthorized_client');
      return client;
    },

    async register(asked, address) {
      if (!isOpen) throw new ApiFailure('registration_not_supported');
      const client = judged(asked, `app-${ids.secret().toLowerCase()}`);
      await guard.attempt('registration', address);
      const secret = isPublic(asked) ? undefined : ids.secret() + ids.secret();
      const made = { ...client, secretHash: secret === undefined ? undefined : digest(secret) };
      const at = clock.now();
      await database.transaction((tx) => store.insert(tx, made, at));
      return { client: made, secret, at };
    },

    async use(tx, client) {
      if (client.standing === 'registered') await store.use(tx, client.id, clock.now());
    },

    forgetOld: () => database.transaction((tx) => store.removeUnused(tx, clock.now() - UNUSED_MS)),
  };
  return clients;
}

const isPublic = ({ token_endpoint_auth_method: method }: NewClient): boolean => method === 'none';
const METHODS = new Set(['none', 'client_secret_basic', 'client_secret_post']);

/** Validates the metadata of a client for storage. */
function judged(asked: NewClient, id: string): Client {
  const refuse = (field: string): never => {
    throw new ApiFailure('invalid_client_metadata', { field });
  };
  const { redirect_uris: redirectUris = [], grant_types: asksFor = ['authorization_code'] } = asked;
  if (!METHODS.has(asked.token_endpoint_auth_method ?? 'client_secret_basic'))
    refuse('token_endpoint_auth_method');
  if ((asked.response_types ?? ['code']).some((type) => type !== 'code')) refuse('response_types');
  const grantTypes = GRANT_TYPES.filter((type) => asksFor.includes(type));
  if (asksFor.some((type) => !grantTypes.includes(type as GrantType)) || grantTypes.length === 0)
    refuse('grant_types');
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0)
    throw new ApiFailure('invalid_redirect_uri');
  if (!redirectUris.every((uri) => isRedirectUri(uri, 'registered')))
    throw new ApiFailure('invalid_redirect_uri');
  const uri = asked.client_uri ?? '';
  if (uri !== '' && URL.parse(uri)?.protocol !== 'https:') refuse('client_uri');
  const client: Client = {
    id,
    secretHash: undefined,
    name: oneLine(asked.client_name ?? '', NAME_LENGTH) || URL.parse(redirectUris[0] ?? '')?.host || id,
    uri,
    redirectUris: [...new Set(redirectUris)],
    // Clients with the code grant may also refresh.
    grantTypes: [...new Set<GrantType>([...grantTypes, 'refresh_token'])],
    scopes: GRANT_SCOPES,
    standing: 'registered',
  };
  return { ...client, scopes: readScopes(asked.scope, client) };
}
