import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useOffers } from '#app/api/offers.ts';
import { PlaceBar } from '#app/drive/top-bar.tsx';
import { LocaleNavLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { cx } from '#app/ui/class-names.ts';
import { showChosen } from '#app/ui/row-scroll.ts';

/** Frame of the pages about buying something, with links between them. */
export function PaymentFrame({ title, children }: { title: string; children: ReactNode }) {
  const t = useT();
  const { products } = useOffers();
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    showChosen(row.current, '[aria-current=page]');
  }, [pathname]);
  const pages = [
    ...(products.includes('plan') ? [{ to: '/drive/payment', label: t('payment.plans'), end: true }] : []),
    ...(products.includes('storage')
      ? [{ to: '/drive/payment/storage', label: t('payment.storage'), end: true }]
      : []),
    ...(products.includes('traffic')
      ? [{ to: '/drive/payment/traffic', label: t('payment.traffic'), end: true }]
      : []),
    { to: '/drive/payment/orders', label: t('payment.orders'), end: false },
  ];
  return (
    <>
      <PageTitle title={title} noIndex />
      <PlaceBar title={title} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <nav
          ref={row}
          aria-label={t('payment.pages')}
          className="relative flex gap-1 overflow-x-auto border-b border-line px-4 max-md:px-2"
        >
          {pages.map(({ to, label, end }) => (
            <LocaleNavLink
              key={to}
              to={to}
              end={end}
              className={({ isActive }) =>
                cx(
                  'relative flex h-11 items-center rounded-control px-3 font-medium whitespace-nowrap -outline-offset-2',
                  isActive
                    ? 'text-blue-strong after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-full after:bg-blue'
                    : 'text-ink-2 hover:text-ink',
                )
              }
            >
              {label}
            </LocaleNavLink>
          ))}
        </nav>
        <div className="mx-auto grid max-w-260 gap-6 px-6 pt-6 pb-24 max-md:px-4 max-md:pt-4">{children}</div>
      </div>
    </>
  );
}
