import { useEffect } from 'react';
import { readCookie } from '#app/browser/cookies.ts';
import { count } from '#app/statistics/happenings.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { LanguageMenu } from '#app/page/language-menu.tsx';
import { Mark } from '#app/ui/mark.tsx';
import { PageTitle } from '#app/page/page-title.tsx';
import { ACCESS_COOKIE } from './access-cookie.ts';

/** Replaces every page where the service is not available. */
export default function BlockedPage({ isAsking, onAsk }: { isAsking: boolean; onAsk: () => void }) {
  const t = useT();
  useEffect(() => {
    if (readCookie(ACCESS_COOKIE) === undefined) count('block_page_shown');
  }, []);
  return (
    <div className="flex min-h-dvh flex-col">
      <PageTitle title={t('site.blocked.title')} noIndex />
      <header className="flex h-18 items-center justify-end px-6">
        <LanguageMenu />
      </header>
      <main className="grid flex-1 place-items-center px-6 pb-24 text-center">
        <div className="flex max-w-120 flex-col items-center">
          <Mark size={72} className="mb-8 text-ink" />
          <h1 className="text-28 font-[650]">{t('site.blocked.title')}</h1>
          <p className="mt-3 text-16 text-ink-2">{t('site.blocked.text')}</p>
          <Button size="l" className="mt-8" busy={isAsking} onClick={onAsk}>
            {t('site.blocked.again')}
          </Button>
        </div>
      </main>
    </div>
  );
}
