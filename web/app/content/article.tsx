import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import type { Locale } from '@bowerbird/contract';
import { useLocale } from '#app/i18n/locale.tsx';
import { cx } from '#app/ui/class-names.ts';
import '#app/ui/markdown.css';

/** Text from the library. Its links to other pages of the site don't reload the site. */
export function ArticleBody({
  html,
  locale,
  className,
}: {
  html: string;
  locale: Locale;
  className?: string;
}) {
  const navigate = useNavigate();
  const own = useLocale();
  const follow = (event: MouseEvent<HTMLElement>): void => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.target === '_blank' || link.origin !== location.origin) return;
    if (link.pathname === location.pathname && link.hash !== '') return;
    event.preventDefault();
    void navigate(link.pathname + link.search + link.hash);
  };
  return (
    // The links themselves receive clicks and keyboard focus; this element only observes them.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      lang={locale === own ? undefined : locale}
      onClick={follow}
      className={cx('markdown text-[15.5px]', className)}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
