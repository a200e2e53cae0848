import { useEffect } from 'react';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { FramePage } from './frame-page.tsx';
import { readFrameMessage, tellFrame } from './messages.ts';
import { ownOrigins } from './own-origins.ts';

/**
 * Page to which a challenge returns: passes its token to the embedding frame, if that is a first-party page.
 */
export default function Loading() {
  const t = useT();
  const facts = usePageFrame();
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const message = readFrameMessage({
      type: 'captcha:token',
      captcha_token: query.get('captcha_token'),
      expires_in: Number(query.get('expires_in') ?? Number.NaN),
    });
    // The token must not stay in the history or in referrers.
    history.replaceState(history.state, '', location.pathname);
    if (message) tellFrame(message, ownOrigins(facts));
  }, [facts]);
  return (
    <FramePage label={t('shield.loading')}>
      <h1 className="sr-only">{t('shield.loading')}</h1>
      <PageTitle title={t('shield.loading')} noIndex />
      <Spinner className="mb-4 size-7! text-blue" />
      <p className="text-ink-2" role="status">
        {t('shield.loading')}
      </p>
    </FramePage>
  );
}
