import { AppWindow, Monitor, Smartphone, Tv } from 'lucide-react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';

const CARDS = [
  { to: '/mobile-app', icon: Smartphone, title: 'apps.card.phone', text: 'apps.card.phoneText' },
  { to: '/desktop-app', icon: Monitor, title: 'apps.card.computer', text: 'apps.card.computerText' },
  { to: '/tv', icon: Tv, title: 'apps.card.tv', text: 'apps.card.tvText' },
  { to: '/browser-extension', icon: AppWindow, title: 'apps.card.browser', text: 'apps.card.browserText' },
] as const;

/** Cards that link to the pages for all platforms. */
export function PlatformCards({
  title,
  anchor = '',
  without,
}: {
  title: string;
  /** Fragment of the desktop page for the visitor's platform, as in `#windows`. */
  anchor?: string;
  /** Page that shows these cards, and is left out of them. */
  without?: string;
}) {
  const t = useT();
  return (
    <section aria-labelledby="platforms" className="mx-auto max-w-300 px-8 pb-24 max-lg:px-5 max-md:pb-14">
      <h2 id="platforms" className="text-28 font-[650] max-md:text-20">
        {title}
      </h2>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {CARDS.filter(({ to }) => to !== without).map(({ to, icon: Icon, title: name, text }) => (
          <li key={to}>
            <LocaleLink
              to={to === '/desktop-app' ? to + anchor : to}
              className="block h-full rounded-card border border-line bg-card p-5 hover:border-line-strong"
            >
              <Icon aria-hidden="true" className="size-6 text-blue" />
              <h3 className="mt-4 text-16 font-semibold">{t(name)}</h3>
              <p className="mt-1 text-ink-2">{t(text)}</p>
            </LocaleLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
