import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { LocaleNavLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { showChosen } from '#app/ui/row-scroll.ts';

/** Navigation between the policies, beside one of their pages. */
export function PolicyFrame({
  policies,
  children,
}: {
  policies: readonly { name: string; title: string }[];
  children: ReactNode;
}) {
  const t = useT();
  const { pathname } = useLocation();
  const row = useRef<HTMLElement>(null);
  // On a phone, the row of links is wider than the screen.
  useEffect(() => showChosen(row.current, '[aria-current=page]'), [pathname]);
  const links = [
    ...policies.map(({ name, title }) => ({ to: `/policy/${name}`, title })),
    { to: '/policy/update', title: t('policy.updates') },
  ];
  return (
    <div className="mx-auto grid max-w-300 gap-14 px-8 pt-8 pb-24 max-lg:gap-8 max-lg:px-5 max-md:gap-5 max-md:pt-2 max-md:pb-14 md:grid-cols-[220px_minmax(0,1fr)] print:block print:p-0">
      <nav
        ref={row}
        aria-label={t('policy.all')}
        className="relative max-md:-mx-5 max-md:overflow-x-auto max-md:border-b max-md:border-line max-md:px-3 print:hidden"
      >
        <ul className="md:grid md:gap-0.5 max-md:flex">
          {links.map(({ to, title }) => (
            <li key={to}>
              <LocaleNavLink
                to={to}
                className={({ isActive }) =>
                  cx(
                    'block rounded-control px-3 py-2 text-13 max-md:py-3.5 max-md:whitespace-nowrap max-md:-outline-offset-2',
                    isActive
                      ? 'font-medium text-blue-strong md:bg-blue-wash'
                      : 'text-ink-2 hover:text-ink md:hover:bg-hover',
                  )
                }
              >
                {title}
              </LocaleNavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="max-w-[44em] min-w-0 print:max-w-none">{children}</div>
    </div>
  );
}
