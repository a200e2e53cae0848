import {
  ApiFailure,
  CAPTCHA_MARGIN_SECONDS,
  captchaSign,
  shieldApi,
  WEB_CLIENT_ID,
  WEB_CLIENT_VERSION,
  WEB_PACKAGE_NAME,
  type ApiCall,
} from '@bowerbird/contract';
import type { Solved } from './challenge.ts';
import type { CaptchaCall, CaptchaTokens } from './http-client.ts';
import { md5 } from './md5.ts';

export interface CaptchaOptions {
  readonly call: ApiCall;
  readonly deviceId: string;
  /** Account id of the signed-in member, or "". */
  readonly userId: () => string;
  readonly now: () => number;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Shows the challenge page; resolves with undefined if it was closed. */
  readonly solve: (url: string) => Promise<Solved | undefined>;
}

/** Stored form of a token, under the key that programs using the protocol look up. */
interface Kept {
  readonly action: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly captcha_token: string;
  readonly expires_in: number;
  /** Milliseconds since the epoch, minus the safety margin. */
  readonly expires_at: number;
}

const KEY = `captcha_${WEB_CLIENT_ID}`;

/** Returns undefined for anything other than a complete entry written by this code. */
export function readKept(text: string | null): Kept | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Kept> | null;
    return typeof kept?.action === 'string' && typeof kept.captcha_token === 'string'
      ? {
          action: kept.action,
          captcha_token: kept.captcha_token,
          meta: kept.meta ?? {},
          expires_in: kept.expires_in ?? 0,
          expires_at: kept.expires_at ?? 0,
        }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Captcha tokens of this browser: one for all calls, kept until shortly before it expires and shared by all
 * tabs.
 */
export function createCaptchaTokens({
  call,
  deviceId,
  userId,
  now,
  storage,
  solve,
}: CaptchaOptions): CaptchaTokens {
  let memory: string | null = null;
  const asked = new Map<string, Promise<string>>();

  const read = (): Kept | undefined => {
    try {
      return readKept(storage.getItem(KEY));
    } catch {
      return readKept(memory);
    }
  };
  const write = (kept: Kept | undefined): void => {
    memory = kept === undefined ? null : JSON.stringify(kept);
    try {
      if (memory === null) storage.removeItem(KEY);
      else storage.setItem(KEY, memory);
    } catch {
      // Without storage, a browser requests one token per page.
    }
  };

  const isGoodFor = (kept: Kept, { names }: CaptchaCall): boolean =>
    kept.expires_at > now() && Object.entries(names).every(([field, name]) => kept.meta[field] === name);

  function metaOf({ names }: CaptchaCall): Record<string, string> {
    const timestamp = String(now());
    const said = { clientVersion: WEB_CLIENT_VERSION, packageName: WEB_PACKAGE_NAME, timestamp };
    return {
      ...names,
      captcha_sign: captchaSign({ clientId: WEB_CLIENT_ID, deviceId, ...said }, md5),
      client_version: said.clientVersion,
      package_name: said.packageName,
      user_id: userId(),
      timestamp,
    };
  }

  async function init(wanted: CaptchaCall, previous: string): Promise<string> {
    const meta = metaOf(wanted);
    const { action } = wanted;
    const body = { client_id: WEB_CLIENT_ID, device_id: deviceId, action, captcha_token: previous, meta };
    const { url, ...granted } = await call(shieldApi.captchaInit, { body });
    const token = url === undefined ? granted : await solve(url);
    if (token?.captcha_token === undefined) throw new ApiFailure('cancelled');
    const seconds = token.expires_in ?? 0;
    write({
      action,
      meta,
      captcha_token: token.captcha_token,
      expires_in: seconds,
      expires_at: now() + (seconds - CAPTCHA_MARGIN_SECONDS) * 1000,
    });
    return token.captcha_token;
  }

  /** Shares one request between calls that start at the same time. */
  async function initOnce(wanted: CaptchaCall, previous: string): Promise<string> {
    const key = JSON.stringify(wanted.names);
    const running = asked.get(key) ?? init(wanted, previous).finally(() => asked.delete(key));
    asked.set(key, running);
    return running;
  }

  return {
    async get(wanted) {
      const kept = read();
      if (kept && isGoodFor(kept, wanted)) return kept.captcha_token;
      return initOnce(wanted, kept?.captcha_token ?? '');
    },
    async renew(wanted, refused) {
      const kept = read();
      // Another tab, or another call in this one, has already renewed it.
      if (kept && kept.captcha_token !== refused && isGoodFor(kept, wanted)) return kept.captcha_token;
      write(undefined);
      return initOnce(wanted, '');
    },
    spent(token) {
      if (read()?.captcha_token === token) write(undefined);
    },
  };
}
