import { ApiFailure } from '@bowerbird/contract';
import type { Clock, Log } from '../foundation/index.ts';
import type { OpenidClient, Provider, ProviderSettings } from './provider.ts';
import { ProviderUnavailable, type ProviderFetch } from './provider-fetch.ts';

interface Parts {
  settings: ProviderSettings;
  fetch: ProviderFetch;
  clock: Clock;
  log: Log;
}

export function createProvider({ settings, fetch, clock, log }: Parts): Provider {
  let loaded: Promise<OpenidClient> | undefined;
  /** Loads the client, with its library, at the first sign-in. */
  const load = (): Promise<OpenidClient> =>
    (loaded ??= import('./openid-client.ts').then(({ createOpenidClient }) =>
      createOpenidClient({ settings, fetch, clock }),
    ));

  /**
   * Maps every failure of the provider to one of two errors: it is unavailable, or its answer is invalid. Logs the
   * reason.
   */
  const guarded = async <T>(work: (client: OpenidClient) => Promise<T>): Promise<T> => {
    try {
      return await work(await load());
    } catch (error) {
      const isAway = error instanceof ProviderUnavailable;
      log.warn({ err: isAway ? error : withoutAnswer(error) }, 'external sign-in provider failed');
      throw new ApiFailure(isAway ? 'temporarily_unavailable' : 'third_party_failed');
    }
  };

  return {
    settings,
    begin: (login, redirectUri) => guarded((client) => client.begin(login, redirectUri)),
    finish: (answer, login, redirectUri) => guarded((client) => client.finish(answer, login, redirectUri)),
  };
}

/** Returns an error for the log without its cause, the provider's answer, which may contain tokens. */
function withoutAnswer(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(typeof error);
  const said = 'error' in error && typeof error.error === 'string' ? `: ${error.error.slice(0, 100)}` : '';
  const shown = new Error(error.message + said);
  if (error.stack !== undefined) shown.stack = error.stack;
  return shown;
}
