import { useEffect, useRef, useState } from 'react';
import { Check, X } from 'lucide-react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { choose, consent, count } from '#app/statistics/happenings.ts';
import { forgetWhereFrom, rememberWhereFrom } from '#app/statistics/where-from.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { useHasPage } from './collections.ts';
import { hostCookieQuestion } from './cookie-question.ts';

/**
 * Asks once if visits may be counted, without blocking the page; asks again if a visitor wants to change the
 * answer.
 */
export default function CookieNotice() {
  const t = useT();
  const hasPage = useHasPage();
  const [asked, setAsked] = useState<'once' | 'again'>();
  const notice = useRef<HTMLElement>(null);
  const askedFrom = useRef<Element | null>(null);
  useEffect(() => {
    if (consent() !== 'open') return;
    setAsked('once');
    count('cookie_tips_shown');
  }, []);
  useEffect(
    () =>
      hostCookieQuestion(() => {
        askedFrom.current = document.activeElement;
        setAsked('again');
        notice.current?.focus();
      }),
    [],
  );
  useEffect(() => {
    if (asked === 'again') notice.current?.focus();
  }, [asked]);
  if (!asked) return null;

  const leave = (): void => {
    setAsked(undefined);
    if (asked === 'again' && askedFrom.current instanceof HTMLElement) askedFrom.current.focus();
  };
  const answer = (isGiven: boolean): void => {
    choose(isGiven);
    if (isGiven) rememberWhereFrom();
    else forgetWhereFrom();
    leave();
    count('cookie_tips_clicked', isGiven ? 'all' : 'necessary');
  };
  const chosen = consent();
  return (
    // Escape does the same as the button.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={notice}
      tabIndex={-1}
      aria-label={t('home.cookies.title')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && chosen !== 'open') leave();
      }}
      className="fixed inset-x-3 bottom-[max(12px,env(safe-area-inset-bottom))] z-10 mx-auto max-w-150 animate-[appear_200ms] rounded-dialog border border-line bg-card p-5 shadow-float outline-none motion-reduce:animate-none print:hidden"
    >
      <div className="flex items-start gap-3">
        <p className="flex-1 text-13 text-ink-2">
          {t.rich('home.cookies.text', {
            policy: hasPage('/policy/cookie-policy') ? (
              <LocaleLink
                to="/policy/cookie-policy"
                className="text-blue-strong underline underline-offset-3"
              >
                {t('home.cookies.policy')}
              </LocaleLink>
            ) : (
              ''
            ),
          })}
        </p>
        {chosen !== 'open' && (
          <span className="-mt-2 -mr-2 flex">
            <IconButton label={t('ui.close')} icon={<X />} onClick={leave} />
          </span>
        )}
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2 max-sm:*:flex-auto">
        <Choice
          isChosen={chosen === 'open' ? undefined : chosen === 'refused'}
          onChoose={() => answer(false)}
        >
          {t('home.cookies.necessary')}
        </Choice>
        <Choice isChosen={chosen === 'open' ? undefined : chosen === 'given'} onChoose={() => answer(true)}>
          {t('home.cookies.all')}
        </Choice>
      </div>
    </section>
  );
}

/** Both choices look the same until one was made. */
function Choice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean | undefined;
  onChoose: () => void;
  children: string;
}) {
  return (
    <Button
      aria-pressed={isChosen}
      icon={isChosen ? <Check aria-hidden="true" /> : undefined}
      onClick={onChoose}
    >
      {children}
    </Button>
  );
}
