import type { createAccount } from '../account/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Config } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Shield } from '../shield/index.ts';
import { createAuthorizations } from './authorization-service.ts';
import { createClients } from './client-service.ts';
import { createClientStore } from './client-store.ts';
import { createCodes } from './code-service.ts';
import { createCodeStore } from './code-store.ts';
import { createConsents } from './consent-service.ts';
import { createConsentStore } from './consent-store.ts';
import { createDevices } from './device-service.ts';
import { createDeviceStore } from './device-store.ts';
import { mountExternals } from './external-routes.ts';
import { createExternals } from './external-service.ts';
import { createExternalStore } from './external-store.ts';
import { createIdTokens } from './id-token-service.ts';
import { knownClients } from './known-clients.ts';
import { mountAuthorizationForm } from './authorization-form.ts';
import { DEVICE_CODE, REGISTRATION, USER_CODE } from './oauth-limits.ts';
import { mountOauth } from './oauth-routes.ts';
import { createProviderFetch } from './provider-fetch.ts';
import { providerView } from './oauth-view.ts';
import type { ProviderSettings } from './provider.ts';
import { createProvider } from './provider-service.ts';
import { createTokens } from './token-service.ts';

export type { Consents } from './consent-service.ts';
export type { Externals } from './external-service.ts';

const HOUR_MS = 3600 * 1000;

interface Parts extends Foundation {
  shield: Shield;
  account: ReturnType<typeof createAccount>;
}

/** Apps authorized by members, and sign-in with external accounts. */
export function createOauth(parts: Parts) {
  const { database, clock, ids, keys, config, log, shield, account } = parts;
  const { accounts, sessions, signing, signIns, checks, transports, provesAddresses } = account;
  const clients = createClients({
    database,
    store: createClientStore(),
    known: knownClients(config.OAUTH_CLIENTS),
    isOpen: config.OAUTH_REGISTRATION,
    guard: shield.guard('client-registration', REGISTRATION),
    clock,
    ids,
  });
  const codeStore = createCodeStore();
  const consentStore = createConsentStore();
  const deviceStore = createDeviceStore();
  const externalStore = createExternalStore();
  const consents = createConsents({ database, store: consentStore, clients, sessions, clock, ids });
  const codes = createCodes({ database, store: codeStore, consents, accounts, sessions, clock, ids });
  const devices = createDevices({
    database,
    store: deviceStore,
    clients,
    consents,
    accounts,
    sessions,
    asking: shield.guard('device-code', DEVICE_CODE),
    guessing: shield.guard('user-code', USER_CODE),
    clock,
    ids,
  });
  const idTokens = createIdTokens({ signing, clock, provesAddresses });
  const authorizations = createAuthorizations({
    database,
    accounts,
    sessions,
    clients,
    consents,
    codes,
    idTokens,
    clock,
  });
  const tokens = createTokens({ database, sessions, clients, consents, codes, devices, idTokens });
  const settings = providerSettings(config);
  const externals = createExternals({
    database,
    store: externalStore,
    provider:
      settings && createProvider({ settings, fetch: createProviderFetch(settings.issuer), clock, log }),
    accounts,
    signIns,
    checks,
    keys,
    clock,
    ids,
  });

  account.closings.onBegun((tx, id) => consentStore.removeAll(tx, id));
  account.onProviders(async (id) => (await externals.list(id)).map(providerView));

  return {
    consents,
    externals,
    /** Deletes the account's consents, codes and external identities. Returns the number of rows removed. */
    async eraseAccount(id: string, signal: AbortSignal): Promise<number> {
      let removed = 0;
      for (const store of [codeStore, deviceStore, consentStore, externalStore])
        removed += await store.eraseAccount(database, id, signal);
      return removed;
    },
    mount({ api, http }: Mount) {
      mountAuthorizationForm(http);
      mountOauth(api, {
        database,
        accounts,
        transports,
        sessions,
        signing,
        clients,
        consents,
        codes,
        devices,
        idTokens,
        authorizations,
        tokens,
        isOpen: config.OAUTH_REGISTRATION,
      });
      mountExternals(api, {
        externals,
        transports,
        extensions: config.EXTENSION_IDS,
        codes: { mail: provesAddresses, phone: account.offersPhones },
      });
    },
    define(jobs: Jobs) {
      jobs.define('forget-oauth-codes', () => codes.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-oauth-devices', () => devices.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-oauth-clients', () => clients.forgetOld(), { everyMs: HOUR_MS });
    },
  };
}

function providerSettings(config: Config): ProviderSettings | undefined {
  const { OPENID_ISSUER: issuer, OPENID_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: config.OPENID_CLIENT_SECRET,
    label: config.OPENID_LABEL,
    domains: config.OPENID_DOMAINS,
    signUp: config.OPENID_SIGN_UP,
  };
}
