import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { splitLocale } from '@bowerbird/contract';
import { pageFacts } from './api/client.ts';
import { deviceId } from './api/device.ts';
import { readCookie, writeCookie } from './api/cookies.ts';
import { reloadWhenOutdated } from './api/reload-guard.ts';
import { loadCatalogue, partsOf } from './i18n/catalogue.ts';
import { PageFrame } from './i18n/page-frame.tsx';

reloadWhenOutdated();
const facts = pageFacts();
const catalogue = await loadCatalogue(facts.locale, partsOf(splitLocale(location.pathname).path));
// Nobody waits for this.
void import('./api/where-from.ts').then(({ rememberWhereFrom }) => rememberWhereFrom());
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

// So that the server's next page speaks of times as this browser does.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (readCookie('pp_time_zone') !== timeZone)
  writeCookie('pp_time_zone', timeZone, { maxAge: 365 * 86_400, sameSite: 'lax' });
deviceId();
