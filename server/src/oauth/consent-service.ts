import { ApiFailure, GRANT_SCOPES, type GrantScope } from '@bowerbird/contract';
import type { Sessions } from '../account/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Clients } from './client-service.ts';
import type { ConsentStore } from './consent-store.ts';
import type { Client, ConsentRow } from './oauth.ts';

/** Consents of members to apps. */
export interface Consents {
  /** Returns whether the member has consented to all of these scopes for this app. */
  covers(account: string, client: Client, scopes: readonly GrantScope[]): Promise<boolean>;
  /** Grants an app these scopes in addition to those it has. */
  give(tx: Tx, account: string, client: Client, scopes: readonly GrantScope[]): Promise<ConsentRow>;
  /** Returns a consent that was not revoked. */
  find(tx: Tx, id: string): Promise<ConsentRow | undefined>;
  /** Records a use by the app, once in a while. */
  use(tx: Tx, consent: ConsentRow): Promise<void>;
  list(account: string): Promise<{ consent: ConsentRow; client: Client }[]>;
  /** Revokes a consent and ends all access based on it; `not_found` if there is none. */
  remove(account: string, id: string): Promise<void>;
}

const NOTED_EVERY_MS = 300_000;

interface Parts {
  database: Database;
  store: ConsentStore;
  clients: Clients;
  sessions: Sessions;
  clock: Clock;
  ids: Ids;
}

export function createConsents({ database, store, clients, sessions, clock, ids }: Parts): Consents {
  return {
    async covers(account, client, scopes) {
      const consent = await store.ofClient(database, account, client.id);
      return consent !== undefined && scopes.every((scope) => consent.scopes.includes(scope));
    },

    async give(tx, account, client, asked) {
      await tx.lock(`account:${account}`);
      const known = await store.ofClient(tx, account, client.id);
      if (!known) {
        const createdAt = clock.now();
        const consent = {
          id: ids.next(),
          account,
          client: client.id,
          scopes: asked,
          createdAt,
          usedAt: undefined,
        };
        await store.insert(tx, consent);
        await clients.use(tx, client);
        return consent;
      }
      const scopes = GRANT_SCOPES.filter((scope) => known.scopes.includes(scope) || asked.includes(scope));
      if (scopes.length > known.scopes.length) await store.widen(tx, known.id, scopes);
      return { ...known, scopes };
    },

    find: (tx, id) => store.find(tx, id),

    async use(tx, consent) {
      const now = clock.now();
      if (now - (consent.usedAt ?? 0) >= NOTED_EVERY_MS) await store.use(tx, consent.id, now);
    },

    async list(account) {
      const consents = await store.list(database, account);
      return Promise.all(
        consents.map(async (consent) => ({
          consent,
          // A client that the administrator removed has no access, but its consent can still be revoked.
          client: (await clients.find(database, consent.client)) ?? gone(consent.client),
        })),
      );
    },

    async remove(account, id) {
      const found = await database.transaction(async (tx) => {
        await tx.lock(`account:${account}`);
        await sessions.endApp(tx, account, id);
        return store.remove(tx, account, id);
      });
      if (!found) throw new ApiFailure('not_found');
    },
  };
}

const gone = (id: string): Client => ({
  id,
  name: id,
  uri: '',
  secretHash: undefined,
  redirectUris: [],
  grantTypes: [],
  scopes: [],
  standing: 'registered',
});
