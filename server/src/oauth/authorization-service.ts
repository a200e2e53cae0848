import {
  ApiFailure,
  isApiFailure,
  wireError,
  type AuthorizationRequest,
  type GrantScope,
} from '@bowerbird/contract';
import { emailKey, requireUsable, type Accounts, type AccountRow, type Sessions } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import { oauthDescription, type Member } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Clients } from './client-service.ts';
import type { Codes } from './code-service.ts';
import type { Consents } from './consent-service.ts';
import type { IdTokens } from './id-token-service.ts';
import { isChallenge, isOnTheWeb, isSameRedirect, readScopes, type Client } from './oauth.ts';

/** Result of an authorization request: the redirect, or the questions for the member. */
export type Answer =
  | { readonly redirectTo: string }
  | {
      readonly client: Client;
      readonly scopes: readonly GrantScope[];
      readonly account: AccountRow;
      readonly redirectUri: string;
    };

/** Member, origin and decision, with the parameters that the app repeated. */
export interface Asked {
  readonly viewer: Member | null;
  readonly origin: string;
  readonly repeated: readonly string[];
  readonly decision: 'allow' | 'deny' | undefined;
}

export interface Authorizations {
  /**
   * Throws if the error can't be reported to the app, and `login_required` if the member must sign in first.
   */
  answer(request: AuthorizationRequest, asked: Asked): Promise<Answer>;
}

/** `prompt=login` accepts a sign-in of the last minutes: the one that it caused. */
const FRESH_SECONDS = 300;
/** Error that only the member can fix, and that is not reported to the app. */
const SIGN_IN_FIRST = 'login_required';

interface Parts {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  clients: Clients;
  consents: Consents;
  codes: Codes;
  idTokens: IdTokens;
  clock: Clock;
}

/** Validated parts of a request. */
interface Judged {
  readonly scopes: readonly GrantScope[];
  readonly prompts: ReadonlySet<string>;
  readonly maxAge: number | undefined;
}

export function createAuthorizations(parts: Parts): Authorizations {
  const { database, accounts, sessions, clients, consents, codes, idTokens, clock } = parts;

  async function appOf({ client_id: id, redirect_uri: asked }: AuthorizationRequest) {
    if (!id) throw new ApiFailure('invalid_request', { field: 'client_id' });
    const client = await clients.find(database, id);
    if (!client) throw new ApiFailure('unauthorized_client', { field: 'client_id' });
    const [first] = client.redirectUris;
    const redirectUri = asked || (client.redirectUris.length === 1 ? first : undefined);
    if (!redirectUri) throw new ApiFailure('invalid_request', { field: 'redirect_uri' });
    if (!client.redirectUris.some((known) => isSameRedirect(redirectUri, known)))
      throw new ApiFailure('invalid_redirect_uri');
    return { client, redirectUri };
  }

  /** Returns the member if signed in recently enough and matching the app's hint. */
  async function whoAnswers(
    request: AuthorizationRequest,
    { prompts, maxAge }: Judged,
    viewer: Member | null,
  ) {
    const isSilent = prompts.has('none');
    const session = viewer && (await sessions.find(database, viewer.session));
    if (!session) throw new ApiFailure(SIGN_IN_FIRST);
    const seconds = (clock.now() - session.createdAt) / 1000;
    const most = Math.min(maxAge ?? Infinity, prompts.has('login') ? FRESH_SECONDS : Infinity);
    if (seconds > most) throw new ApiFailure(SIGN_IN_FIRST, { again: '1' });
    const account = await accounts.find(database, session.account);
    requireUsable(account);
    if (isSilent && !(await isMeant(request, account))) throw new ApiFailure('account_selection_required');
    return { account, authenticatedAt: session.createdAt };
  }

  async function isMeant(
    { login_hint: hint = '', id_token_hint: token }: AuthorizationRequest,
    account: AccountRow,
  ): Promise<boolean> {
    if (hint !== '' && emailKey(hint) !== emailKey(account.email) && hint !== account.id) return false;
    return !token || (await idTokens.subjectOf(token)) === account.id;
  }

  return {
    async answer(request, { viewer, origin, repeated, decision }) {
      // The recipient of the response is ambiguous.
      const ambiguous = repeated.find((name) => name === 'client_id' || name === 'redirect_uri');
      if (ambiguous !== undefined) throw new ApiFailure('invalid_request', { field: ambiguous });
      const { client, redirectUri } = await appOf(request);
      const back = (answer: Record<string, string>): { redirectTo: string } => {
        const url = new URL(redirectUri);
        for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
        if (request.state !== undefined) url.searchParams.set('state', request.state);
        // Identifies the answering service (RFC 9207).
        url.searchParams.set('iss', origin);
        return { redirectTo: url.href };
      };
      const isSilent = (request.prompt ?? '').split(' ').includes('none');

      try {
        if (repeated[0] !== undefined) throw new ApiFailure('invalid_request', { field: repeated[0] });
        const judged = judge(request, client);
        const { account, authenticatedAt } = await whoAnswers(request, judged, viewer);
        const { scopes, prompts } = judged;
        if (decision === 'deny') throw new ApiFailure('access_denied');
        if (decision === undefined) {
          const isKnown = await consents.covers(account.id, client, scopes);
          const asksAgain = prompts.has('consent') || prompts.has('select_account');
          const goesOn = isKnown && !asksAgain && isOnTheWeb(redirectUri);
          if (!goesOn && isSilent)
            throw new ApiFailure(isKnown ? 'interaction_required' : 'consent_required');
          if (!goesOn) return { client, scopes, account, redirectUri };
        }
        const code = await database.transaction(async (tx) => {
          const consent = await consents.give(tx, account.id, client, scopes);
          return codes.make(tx, {
            account: account.id,
            client: client.id,
            consent: consent.id,
            redirectUri,
            challenge: request.code_challenge,
            nonce: request.nonce,
            scopes,
            authenticatedAt,
          });
        });
        return back({ code });
      } catch (error) {
        if (!isApiFailure(error)) throw error;
        if (error.id === SIGN_IN_FIRST && !isSilent) throw error;
        return back({
          error: wireError(error.id),
          error_description: oauthDescription(error),
        });
      }
    },
  };
}

const PROMPTS = new Set(['none', 'login', 'consent', 'select_account']);

/** Rejects invalid requests, each for its own reason. */
function judge(request: AuthorizationRequest, client: Client): Judged {
  const { request: object, request_uri: objectUri, response_type: type } = request;
  if (object) throw new ApiFailure(isJwt(object) ? 'request_not_supported' : 'invalid_request_object');
  if (objectUri)
    throw new ApiFailure(
      URL.parse(objectUri)?.protocol === 'https:' ? 'request_uri_not_supported' : 'invalid_request_uri',
    );
  if (request.registration) throw new ApiFailure('registration_not_supported');
  if (!type) throw new ApiFailure('invalid_request', { field: 'response_type' });
  if (type !== 'code') throw new ApiFailure('unsupported_response_type');
  if (request.response_mode && request.response_mode !== 'query')
    throw new ApiFailure('invalid_request', { field: 'response_mode' });
  if (!client.grantTypes.includes('authorization_code')) throw new ApiFailure('unauthorized_client');
  judgeChallenge(request, client);
  const prompts = new Set((request.prompt ?? '').split(' ').filter((word) => word !== ''));
  if ([...prompts].some((word) => !PROMPTS.has(word)) || (prompts.has('none') && prompts.size > 1))
    throw new ApiFailure('invalid_request', { field: 'prompt' });
  const maxAge = request.max_age ? Number(request.max_age) : undefined;
  if (maxAge !== undefined && !(Number.isInteger(maxAge) && maxAge >= 0))
    throw new ApiFailure('invalid_request', { field: 'max_age' });
  return { scopes: readScopes(request.scope, client), prompts, maxAge };
}

function judgeChallenge(
  { code_challenge: challenge, code_challenge_method: method }: AuthorizationRequest,
  client: Client,
) {
  if (!challenge && client.secretHash !== undefined && !method) return;
  if (!challenge || !isChallenge(challenge))
    throw new ApiFailure('invalid_request', { field: 'code_challenge' });
  if (method !== 'S256') throw new ApiFailure('invalid_request', { field: 'code_challenge_method' });
}

const isJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
