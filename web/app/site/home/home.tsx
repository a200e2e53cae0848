import { accountApi, LIMITS, LOCALES, type PageServices } from '@bowerbird/contract';
import { cardAnchorFor, disableMobilePlatformCardAnchor } from '#app/browser/platform.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useIsSignUpOpen } from '#app/api/sign-up.ts';
import { useViewer } from '#app/api/viewer.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PlatformCards } from '#app/apps/platform-cards.tsx';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/home';
import { useActivities } from '../collections.ts';
import { HomeDemo } from './home-demo.tsx';
import { HomeFeatures } from './home-features.tsx';
import { HomeLinks } from './home-links.tsx';
import { HomeShare } from './home-share.tsx';
import { HomeTrust, type Question } from './home-trust.tsx';

export const middleware: Route.MiddlewareFunction[] = [disableMobilePlatformCardAnchor];

export async function loader({ context, request }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const rules = await services.call(accountApi.signUpRules, {});
  return {
    questions: firstQuestions(services),
    freeBytes: Number(rules.free_storage),
    trashDays: services.operator.trashDays ?? LIMITS.trashDays,
    cardAnchor: cardAnchorFor(request, context),
  };
}

/** Returns the first question of every group: those that people ask before they start. */
function firstQuestions({ library, locale }: PageServices): Question[] {
  return library.contents.faq.flatMap(({ group, questions: [id] }) => {
    const text = id === undefined ? undefined : library.read(`faq/${group}/${id}`, locale);
    return text ? [{ id: id!, title: text.title }] : [];
  });
}

export default function Home({
  loaderData: { freeBytes, trashDays, cardAnchor, questions },
}: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const viewer = useViewer();
  const isOpen = useIsSignUpOpen();
  const activities = useActivities();
  const start = viewer ? (
    <Button variant="primary" size="l" href="/drive/all">
      {t('site.nav.drive')}
    </Button>
  ) : (
    <>
      {isOpen && (
        <Button variant="primary" size="l" href="/sign-up">
          {t('site.nav.signUp')}
        </Button>
      )}
      <Button variant={isOpen ? 'line' : 'primary'} size="l" href="/drive/login">
        {t('site.nav.signIn')}
      </Button>
    </>
  );
  return (
    <>
      <PublicHead path="/" title={t('home.title')} description={t('home.lead')} />

      <section className="mx-auto grid max-w-300 items-center gap-18 px-8 pt-16 pb-24 max-lg:gap-12 max-lg:px-5 max-lg:pt-8 max-lg:pb-16 lg:grid-cols-[1.02fr_1fr]">
        <div>
          {activities.map(({ path, title, ends }) => (
            <p key={path} className="mb-4 text-13 text-ink-3">
              <LocaleLink
                to={path}
                className="rounded-small font-medium text-blue-strong underline-offset-3 hover:underline"
              >
                {title}
              </LocaleLink>
              {' · '}
              {t.rich('activity.until', { time: <DateTime at={ends} /> })}
            </p>
          ))}
          <h1 className="text-[clamp(31px,4.4vw,54px)] leading-[1.05] font-[680] tracking-[-0.035em] [overflow-wrap:anywhere] hyphens-auto">
            {t('home.title')}
          </h1>
          <p className="mt-6 max-w-[30em] text-[19px] leading-normal text-ink-2 max-md:text-16">
            {t('home.lead')}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">{start}</div>
          <p className="mt-5 text-13 text-ink-3">
            {freeBytes > 0
              ? t('home.facts', { space: format.bytes(freeBytes), count: LOCALES.length })
              : t('home.factsNoSpace', { count: LOCALES.length })}
          </p>
        </div>
        <HomeDemo />
      </section>
      <HomeLinks />
      <div className="drawn-late">
        <HomeShare />
      </div>
      <div className="drawn-late">
        <HomeFeatures trashDays={trashDays} />
      </div>
      <div className="drawn-late">
        <HomeTrust freeBytes={freeBytes} trashDays={trashDays} questions={questions} />
      </div>
      <div className="drawn-late">
        <PlatformCards title={t('apps.everywhere')} anchor={cardAnchor} />
      </div>
      {!viewer && (
        <section className="border-t border-line bg-sunken px-6 py-20 text-center">
          <h2 className="text-28 font-[650]">{t('home.endTitle')}</h2>
          <p className="mx-auto mt-3 max-w-120 text-16 text-ink-2">{t('home.endText')}</p>
          <div className="mt-7 flex flex-wrap justify-center gap-3">{start}</div>
        </section>
      )}
    </>
  );
}
