import { oauthApi, WEB_CLIENT_ID } from '@bowerbird/contract';
import { maskedEmail, TRUST_COOKIE, type SessionTransports } from '../account/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { PENDING_SECONDS, type Externals } from './external-service.ts';
import { externalView } from './oauth-view.ts';

/** Cookie with the sealed state of a pending login; only this browser can finish it. */
const PENDING_COOKIE = 'pp_oauth_info';
const LINK_COOKIE = 'pp_external_link';

interface Parts {
  externals: Externals;
  transports: SessionTransports;
  extensions: readonly string[];
  /** Channels that can deliver the codes for signing up. */
  codes: { mail: boolean; phone: boolean };
}

export function mountExternals(api: Api, { externals, transports, extensions, codes }: Parts): void {
  api.handle(oauthApi.doors, async () => ({
    external: externals.label,
    extensions: [...extensions],
    mail_code: codes.mail,
    phone_code: codes.phone,
  }));

  api.handle(oauthApi.beginExternal, async ({ body, caller }) => {
    const { redirectTo, pending } = await externals.begin(body.continue ?? '', caller.origin);
    caller.secrets.keep(PENDING_COOKIE, pending, PENDING_SECONDS);
    return { redirect_to: redirectTo };
  });

  api.handle(oauthApi.finishExternal, async ({ body, caller }) => {
    const { code, state, iss, error } = body;
    const { viewer, locale, secrets } = caller;
    const pending = secrets.read(PENDING_COOKIE);
    secrets.drop(PENDING_COOKIE);
    const context = { ...caller, trust: secrets.read(TRUST_COOKIE), clientId: WEB_CLIENT_ID };
    const answer = { code, state, iss, error };
    const outcome = await externals.finish(answer, pending, context, { viewer, locale });
    if (outcome.kind === 'link') secrets.keep(LINK_COOKIE, outcome.link, PENDING_SECONDS);
    else if (outcome.grant?.kind === 'cookie') transports.setCookies(caller, outcome.grant);
    return { outcome: outcome.kind, continue: outcome.continueTo, email: maskedEmail(outcome.email) };
  });

  api.handle(oauthApi.linkExternal, async ({ body, viewer, caller }) => {
    const kept = caller.secrets.read(LINK_COOKIE);
    const email = maskedEmail(externals.toBeLinked(kept));
    if (body.confirm) {
      await externals.link(viewer.account, kept);
      caller.secrets.drop(LINK_COOKIE);
    }
    return { label: externals.label, email };
  });

  api.handle(oauthApi.listExternal, async ({ viewer }) => ({
    identities: (await externals.list(viewer.account)).map((row) => externalView(row, externals.label)),
  }));

  api.handle(oauthApi.unlinkExternal, async ({ body, viewer, caller }) => {
    const owner = { account: viewer.account, password: body.password, address: caller.address };
    await externals.unlink(owner, body.id);
    return {};
  });
}
