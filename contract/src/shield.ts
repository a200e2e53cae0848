import Type from 'typebox';
import { endpoint } from './endpoint.ts';

/** A client stops using a token this many seconds before it expires. */
export const CAPTCHA_MARGIN_SECONDS = 30;
/** Identification of our own pages when they request a token. */
export const WEB_CLIENT_VERSION = '1.0.0';
export const WEB_PACKAGE_NAME = 'bowerbird.web';

/**
 * Salts for the signature of our own pages. They aren't secret, since the pages' script contains them: with them, a
 * client claims to be one of ours, so that others can be refused.
 */
const SALTS = [
  'aziZW6oZDP6FSEtg_eBujfLe',
  'oHa5_MGE-US9IiB8zhlK7D6t',
  'S06KQ1mCjWzxuNa4FRrcq_Ka',
  'BxCIrc4nGjPC0VAlclrZ4bZV',
  'vfHRkNma4p6l-bd0a4_wZ1eN',
  'I4uptEEmwOJe7-gCR_nYhc6h',
  'dkPFuAGMEp1gMB9vobXX_PEE',
  'EkOJlWsgKFiMeS0m9j3eI89m',
  'cGf5KPmTFOEezA_Dq6KbZhHK',
  '04fAyT3_UxSmfH8D55Vj1ebP',
] as const;

export interface Signed {
  readonly clientId: string;
  readonly clientVersion: string;
  readonly packageName: string;
  readonly deviceId: string;
  /** Milliseconds since the epoch, as a decimal string. */
  readonly timestamp: string;
}

/**
 * `captcha_sign` of our own client: `1.` followed by the last of ten MD5 digests, each computed from the previous one
 * and a salt. `md5` returns lower-case hex.
 */
export function captchaSign(
  { clientId, clientVersion, packageName, deviceId, timestamp }: Signed,
  md5: (text: string) => string,
): string {
  let text = clientId + clientVersion + packageName + deviceId + timestamp;
  for (const salt of SALTS) text = md5(text + salt);
  return `1.${text}`;
}

const Token = Type.String({ maxLength: 4096 });
const Granted = {
  captcha_token: Type.String(),
  /** Seconds, never 0. */
  expires_in: Type.Integer(),
};

export const shieldApi = {
  captchaInit: endpoint({
    name: 'shield.captchaInit',
    method: 'POST',
    path: '/v1/shield/captcha/init',
    host: 'user',
    scope: 'any',
    credentials: 'optional',
    repeatable: true,
    summary: 'Request a captcha token',
    description: 'Returns a token for this client and device, or the address of a page with a challenge.',
    body: Type.Object({
      client_id: Type.Optional(Type.String({ maxLength: 128 })),
      device_id: Type.Optional(Type.String({ maxLength: 64 })),
      action: Type.String({
        maxLength: 1024,
        description: 'The call that the token is for, as `METHOD:/path` or `METHOD:` and its full URL.',
      }),
      captcha_token: Type.Optional(
        Type.Unknown({
          description:
            'The previous token. Returned again while it is valid; otherwise ignored, whatever it is.',
        }),
      ),
      meta: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            '`username`, `email` or `phone_number` for calls that sign in or sign up. Also `captcha_sign`, `client_version`, `package_name`, `timestamp` and `user_id`.',
        }),
      ),
      redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
      state: Type.Optional(Type.String({ maxLength: 512 })),
    }),
    reply: Type.Object({
      captcha_token: Type.Optional(Type.String()),
      expires_in: Type.Optional(Type.Integer()),
      url: Type.Optional(Type.String()),
    }),
    errors: ['captcha_invalid', 'invalid_argument', 'too_frequent'],
  }),
  challenge: endpoint({
    name: 'shield.challenge',
    method: 'GET',
    path: '/v1/shield/captcha/challenge',
    host: 'user',
    scope: 'any',
    credentials: 'optional',
    summary: 'Get a captcha challenge',
    description: 'Returns the computation that the browser has to do.',
    query: Type.Object({ challenge: Token }),
    reply: Type.Object({
      /** Prefix of each hashed answer. */
      id: Type.String(),
      /** Number of answers to find. */
      rounds: Type.Integer(),
      /** Number of zero bits that the SHA-256 of `id.round.number` must begin with. */
      bits: Type.Integer(),
      /** Seconds during which answers are accepted. */
      expires_in: Type.Integer(),
    }),
    errors: ['token_expired'],
  }),
  solve: endpoint({
    name: 'shield.solve',
    method: 'POST',
    path: '/v1/shield/captcha/solve',
    host: 'user',
    scope: 'any',
    credentials: 'optional',
    repeatable: true,
    summary: 'Solve a captcha challenge',
    description: 'Accepts the answers once, and returns a captcha token.',
    body: Type.Object({
      challenge: Token,
      answers: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 64 }),
    }),
    reply: Type.Object({
      ...Granted,
      /** Address that the page redirects to, with the token in its query. */
      redirect_uri: Type.String(),
    }),
    errors: ['captcha_invalid', 'token_expired'],
  }),
  verify: endpoint({
    name: 'shield.verify',
    method: 'POST',
    path: '/vip/v1/verifyRecaptchaToken',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Prove that you are no program',
    description:
      'Accepts a captcha token for which a challenge was solved, once. For ten minutes, rewards don’t ask for another one. `bot_checked` of `GET /vip/v1/task/status` says whether they ask.',
    body: Type.Object({
      /** The reward, such as `sign_in`. */
      type: Type.Optional(Type.String({ maxLength: 64 })),
      captcha_token: Token,
    }),
    reply: Type.Object({
      result: Type.Literal('ACCEPTED'),
      message: Type.String(),
      redirect_uri: Type.String(),
    }),
    errors: ['captcha_token_invalid'],
  }),
  debugOptions: endpoint({
    name: 'shield.debugOptions',
    method: 'POST',
    path: '/config/v1/debug_options',
    host: 'config',
    scope: 'any',
    credentials: 'optional',
    repeatable: true,
    summary: 'Get the debug options',
    description: 'Returns whether this device or member may open the debugging console.',
    body: Type.Object({
      client: Type.Optional(Type.String({ maxLength: 64 })),
      data: Type.Optional(
        Type.Object({
          uuid: Type.Optional(Type.String({ maxLength: 64 })),
          userid: Type.Optional(Type.String({ maxLength: 64 })),
        }),
      ),
    }),
    reply: Type.Object({
      values: Type.Object({ debug_options: Type.Object({ allow_vconsole: Type.Boolean() }) }),
    }),
  }),
};
