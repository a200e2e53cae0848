import type { ApiCall, ApiFailure } from '@bowerbird/contract';
import { FACTS_ID, type PageFacts } from '#app/i18n/page-frame.tsx';
import { deviceId, randomHex } from './device.ts';
import { createClient } from './http-client.ts';

let facts: PageFacts | undefined;
let client: ApiCall | undefined;

/** What the server wrote into this document; browser only. */
export function pageFacts(): PageFacts {
  facts ??= JSON.parse(document.getElementById(FACTS_ID)!.textContent) as PageFacts;
  return facts;
}

const signedOut = new EventTarget();

/** Told whenever a call finds that the session has ended. Returns how to stop. */
export function onSignedOut(listener: (failure: ApiFailure) => void): () => void {
  const tell = (event: Event): void => listener((event as CustomEvent<ApiFailure>).detail);
  signedOut.addEventListener('signed-out', tell);
  return () => signedOut.removeEventListener('signed-out', tell);
}

/** The browser's way to call the API; loaders on the server have their own in `context.get(pageServices)`. */
export const call: ApiCall = (spec, input, options) => {
  client ??= createClient({
    origins: pageFacts().origins.length > 0 ? pageFacts().origins : [''],
    locale: pageFacts().locale,
    deviceId: deviceId(),
    fetch: (...request) => fetch(...request),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    randomId: randomHex,
    onSignedOut(failure) {
      signedOut.dispatchEvent(new CustomEvent('signed-out', { detail: failure }));
    },
  });
  return client(spec, input, options);
};

export function useCall(): ApiCall {
  return call;
}
