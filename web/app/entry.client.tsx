import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { splitLocale } from '@bowerbird/contract';
import './statistics/arrival.ts';
import { pageFacts } from './api/client.ts';
import { consent } from './statistics/happenings.ts';
import { deviceId } from './browser/device.ts';
import { readCookie, writeCookie } from './browser/cookies.ts';
import { reloadWhenOutdated } from './browser/reload-guard.ts';
import { loadCatalogue, partsOf } from './i18n/catalogue.ts';
import { browserTimeZone } from './i18n/format.ts';
import { PageFrame } from './i18n/page-frame.tsx';

reloadWhenOutdated();
const facts = pageFacts();
const [catalogue] = await Promise.all([
  loadCatalogue(facts.locale, partsOf(splitLocale(location.pathname).path)),
  window.parent === window || leaveLinksToParent(),
]);
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <PageFrame value={{ ...facts, catalogue, nonce: '' }}>
        <HydratedRouter />
      </PageFrame>
    </StrictMode>,
  );
});

// Without consent not even the code is loaded.
if (consent() === 'given')
  void import('./statistics/where-from.ts').then(({ rememberWhereFrom }) => rememberWhereFrom());
whenIdle(() => {
  // Lets the server render the next page's times in this browser's time zone.
  const timeZone = browserTimeZone();
  if (readCookie('pp_time_zone') !== timeZone)
    writeCookie('pp_time_zone', timeZone, { maxAge: 365 * 86_400, sameSite: 'lax' });
  deviceId();
});

/** Loads its code only on a page embedded in another. */
async function leaveLinksToParent(): Promise<void> {
  const host = await import('./site/frame-host.ts');
  host.leaveLinksToParent();
}

/** Runs unimportant work while the browser is idle. Safari supports `requestIdleCallback` only since recently. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 500);
}
