import type { ApiCall, ApiFailure } from '@bowerbird/contract';
import { readCookie } from '#app/browser/cookies.ts';
import { deviceId, randomHex } from '#app/browser/device.ts';
import { FACTS_ID, type PageFacts } from '#app/i18n/page-frame.tsx';
import { askChallenge } from './challenge.ts';
import {
  createClient,
  LONG_PATIENCE,
  usualPatience,
  type CaptchaTokens,
  type Patience,
} from './http-client.ts';

let facts: PageFacts | undefined;

/** Facts that the server wrote into this document; browser only. */
export function pageFacts(): PageFacts {
  facts ??= JSON.parse(document.getElementById(FACTS_ID)!.textContent) as PageFacts;
  return facts;
}

const signedOut = new EventTarget();

/**
 * Calls the listener whenever a call finds that the session has ended. Returns a function that unsubscribes.
 */
export function onSignedOut(listener: (failure: ApiFailure) => void): () => void {
  const tell = (event: Event): void => listener((event as CustomEvent<ApiFailure>).detail);
  signedOut.addEventListener('signed-out', tell);
  return () => signedOut.removeEventListener('signed-out', tell);
}

/** Loaded when a call first needs a token: most visits never do. */
let tokens: Promise<CaptchaTokens> | undefined;

const captchaTokens = (): Promise<CaptchaTokens> =>
  (tokens ??= import('./captcha.ts').then(({ createCaptchaTokens }) =>
    createCaptchaTokens({
      call,
      deviceId: deviceId(),
      userId: () => readCookie('pp_user_id') ?? '',
      now: () => Date.now(),
      // If storage is forbidden, even reading `localStorage` throws.
      storage: {
        getItem: (key) => localStorage.getItem(key),
        setItem: (key, value) => localStorage.setItem(key, value),
        removeItem: (key) => localStorage.removeItem(key),
      },
      solve: askChallenge,
    }),
  ));

const captcha: CaptchaTokens = {
  get: async (...asked) => (await captchaTokens()).get(...asked),
  renew: async (...asked) => (await captchaTokens()).renew(...asked),
  spent: (token) => void captchaTokens().then((kept) => kept.spent(token)),
};

function open(patience: Patience): ApiCall {
  return createClient({
    origins: pageFacts().origins.length > 0 ? pageFacts().origins : [''],
    locale: pageFacts().locale,
    deviceId: deviceId(),
    fetch: (...request) => fetch(...request),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    randomId: randomHex,
    captcha,
    patience,
    isMember: () => readCookie('pp_user_id') !== undefined,
    onSignedOut(failure) {
      signedOut.dispatchEvent(new CustomEvent('signed-out', { detail: failure }));
    },
  });
}

let client: ApiCall | undefined;
let patientClient: ApiCall | undefined;

/** API client of the browser; loaders on the server use the one in `context.get(pageServices)`. */
export const call: ApiCall = (spec, input, options) =>
  (client ??= open(usualPatience()))(spec, input, options);

/** Client for background work: it retries for hours during an outage instead of failing. */
export const callPatiently: ApiCall = (spec, input, options) =>
  (patientClient ??= open(LONG_PATIENCE))(spec, input, options);

export function useCall(): ApiCall {
  return call;
}
