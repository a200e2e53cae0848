import { useEffect, useState } from 'react';
import { choose, consent, count } from '#app/api/happenings.ts';
import { rememberWhereFrom } from '#app/api/where-from.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { useHasPage } from './collections.ts';

/** Asks once whether visits may be counted, and gets out of the way. */
export default function CookieNotice() {
  const t = useT();
  const hasPage = useHasPage();
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (consent() !== 'open') return;
    setAsked(true);
    count('cookie_tips_shown');
  }, []);
  if (!isAsked) return null;
  const answer = (isGiven: boolean): void => {
    choose(isGiven);
    rememberWhereFrom();
    setAsked(false);
    count('cookie_tips_clicked', isGiven ? 'all' : 'necessary');
  };
  return (
    <section
      aria-label={t('home.cookies.title')}
      className="fixed inset-x-3 bottom-[max(12px,env(safe-area-inset-bottom))] z-10 mx-auto max-w-150 animate-[appear_200ms] rounded-dialog border border-line bg-card p-5 shadow-float motion-reduce:animate-none print:hidden"
    >
      <p className="text-13 text-ink-2">
        {t.rich('home.cookies.text', {
          policy: hasPage('/policy/cookie-policy') ? (
            <LocaleLink to="/policy/cookie-policy" className="text-blue-strong underline underline-offset-3">
              {t('home.cookies.policy')}
            </LocaleLink>
          ) : (
            ''
          ),
        })}
      </p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={() => answer(false)}>{t('home.cookies.necessary')}</Button>
        <Button onClick={() => answer(true)}>{t('home.cookies.all')}</Button>
      </div>
    </section>
  );
}
