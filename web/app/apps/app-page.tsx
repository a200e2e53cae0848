import type { ReactNode } from 'react';
import { Download, ExternalLink } from 'lucide-react';
import type { Channel } from '@bowerbird/contract';
import { useViewer } from '#app/api/viewer.ts';
import { withPrefix, useLocale } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { Button } from '#app/ui/button.tsx';
import { QrPicture } from '#app/ui/qr-picture.tsx';
import type { Offer } from './downloads.server.ts';
import { PlatformCards } from './platform-cards.tsx';

/** App stores install by themselves; every other channel is a file. */
const SHOPS: ReadonlySet<Channel> = new Set(['gp', 'ios', 'chrome', 'firefox', 'edge']);

/**
 * Page for one kind of device: the apps that the operator offers for it, or else how to use the service
 * without one, and links to the other devices.
 */
export function AppPage({
  path,
  title,
  lead,
  offers,
  first,
  none,
  isPhone = false,
  below,
  children,
}: {
  path: string;
  title: string;
  lead: string;
  offers: readonly Offer[];
  /** Channel for the visitor's device. */
  first?: Channel | undefined;
  /** Text for when nothing is offered. */
  none: { readonly title: string; readonly text: string };
  isPhone?: boolean;
  /** Shown below the offers, if any. */
  below?: ReactNode;
  children: ReactNode;
}) {
  const t = useT();
  const viewer = useViewer();
  const { origin } = usePageFrame();
  const locale = useLocale();
  const address = origin + withPrefix(locale, path);
  return (
    <>
      <PublicHead path={path} title={title} description={lead} />
      <section className="mx-auto grid max-w-300 items-start gap-12 px-8 pt-12 pb-16 max-lg:px-5 max-md:pt-6 max-md:pb-12 md:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{title}</h1>
          <p className="mt-4 max-w-[36em] text-16 text-ink-2">{lead}</p>
          {offers.length > 0 ? (
            <Offers offers={offers} first={first}>
              {below}
            </Offers>
          ) : (
            <div className="mt-8 max-w-160 rounded-card border border-line bg-card p-5">
              <h2 className="text-16 font-semibold">{none.title}</h2>
              <p className="mt-1.5 text-ink-2">{none.text}</p>
              <div className="mt-5 flex flex-wrap gap-2.5">
                <Button variant="primary" size="l" href={viewer ? '/drive/all' : '/drive/login'}>
                  {viewer ? t('site.nav.drive') : t('site.nav.signIn')}
                </Button>
              </div>
            </div>
          )}
        </div>
        {!isPhone && (
          <figure className="grid w-60 gap-3 rounded-card border border-line bg-card p-5 text-center max-md:hidden">
            <QrPicture text={address} label={t('apps.qrLabel', { address })} />
            <figcaption className="text-13 text-ink-2">{t('apps.qr')}</figcaption>
          </figure>
        )}
      </section>
      <div className="border-y border-line bg-sunken">
        <div className="mx-auto grid max-w-300 gap-16 px-8 py-16 max-lg:px-5 max-md:gap-12 max-md:py-12">
          {children}
        </div>
      </div>
      <div className="pt-16 max-md:pt-12">
        <PlatformCards title={t('apps.others')} without={path} />
      </div>
    </>
  );
}

function Offers({
  offers,
  first,
  children,
}: {
  offers: readonly Offer[];
  first: Channel | undefined;
  children: ReactNode;
}) {
  const t = useT();
  const ordered = offers.toSorted(
    (one, other) => Number(other.channel === first) - Number(one.channel === first),
  );
  return (
    <div className="mt-8">
      <ul className="flex flex-wrap gap-3">
        {ordered.map(({ channel, version, url }) => (
          <li key={channel} className="max-sm:w-full">
            <Button
              variant={channel === first ? 'primary' : 'line'}
              size="l"
              href={url}
              icon={SHOPS.has(channel) ? <ExternalLink /> : <Download />}
              className="max-sm:w-full"
            >
              {t(`apps.channel.${channel}`)}
            </Button>
            {version !== '' && (
              <p className="mt-1.5 text-13 text-ink-3 max-sm:text-center">{t('apps.version', { version })}</p>
            )}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}

/** Section of an app page. */
export function AppSection({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children: ReactNode;
}) {
  return (
    <section>
      <h2 className="text-28 font-[650] [overflow-wrap:anywhere] max-md:text-20">{title}</h2>
      <p className="mt-2 max-w-[44em] text-16 text-ink-2">{text}</p>
      {children}
    </section>
  );
}
