import { shieldApi } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import type { Config } from '../foundation/index.ts';
import type { Answer, Captchas } from './captcha-service.ts';
import type { Humans } from './human-service.ts';

interface Parts {
  captchas: Captchas;
  humans: Humans;
  config: Pick<Config, 'DEBUG_CONSOLE' | 'SITE_URL'>;
}

export function mountShield(api: Api, { captchas, humans, config }: Parts): void {
  api.handle(shieldApi.captchaInit, async ({ body, caller }) => {
    const client = body.client_id || caller.clientId;
    const device = body.device_id || caller.deviceId;
    const answer = await captchas.init({
      client,
      device,
      action: body.action,
      previous: typeof body.captcha_token === 'string' ? body.captcha_token : '',
      meta: body.meta ?? {},
      redirectUri: body.redirect_uri ?? '',
      caller,
    });
    if ('token' in answer) return { captcha_token: answer.token, expires_in: answer.seconds };
    return { url: pageOf(answer, body.action, body.state, caller) };
  });

  /**
   * Address of a challenge's page. Only the sealed challenge counts; the other parameters are conventional.
   */
  function pageOf(
    { challenge, isFor }: Extract<Answer, { challenge: string }>,
    action: string,
    state: string | undefined,
    caller: { origin: string; locale: string },
  ): string {
    const url = new URL('/captcha/challenge', config.SITE_URL ?? caller.origin);
    url.search = new URLSearchParams({
      action,
      captcha_token: challenge,
      client_id: isFor.client,
      device_id: isFor.device,
      redirect_uri: isFor.redirectUri,
      ...(state === undefined ? {} : { state }),
      locale: caller.locale,
    }).toString();
    return url.href;
  }

  api.handle(shieldApi.challenge, async ({ query }) => {
    const { id, rounds, bits, expiresAt } = captchas.challenge(query.challenge);
    return { id, rounds, bits, expires_in: captchas.secondsUntil(expiresAt) };
  });

  api.handle(shieldApi.solve, async ({ body }) => {
    const { token, seconds, redirectUri } = await captchas.solve(body.challenge, body.answers);
    return { captcha_token: token, expires_in: seconds, redirect_uri: redirectUri };
  });

  api.handle(shieldApi.verify, async ({ body, viewer }) => {
    await humans.verify(viewer.account, body.captcha_token);
    return { result: 'ACCEPTED' as const, message: '', redirect_uri: '' };
  });

  api.handle(shieldApi.debugOptions, async ({ body, viewer }) => {
    const { uuid = '' } = body.data ?? {};
    // The member is the signed-in one, not the one in the body.
    const allowed = [uuid, viewer?.account ?? ''].some(
      (id) => id !== '' && config.DEBUG_CONSOLE.includes(id),
    );
    return { values: { debug_options: { allow_vconsole: allowed } } };
  });
}
