import { Check, ChevronLeft, ChevronRight, Gift } from 'lucide-react';
import { Form, useNavigation } from 'react-router';
import { checkInApi, TASK_SCENES, type Locale } from '@bowerbird/contract';
import { useOffers } from '#app/api/offers.ts';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { Route } from './+types/check-in';
import { calendarOf, comingRewards, monthAfter, type Calendar } from './month.ts';
import { TaskRewardList } from './task-reward-list.tsx';

export const handle = { layout: 'basic' };

const MONTH = /^20\d{2}-(?:0[1-9]|1[0-2])$/;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { call, viewer, locale } = context.get(pageServices);
  const asked = url.searchParams.get('month') ?? '';
  const today = new Date().toISOString().slice(0, 10);
  const month =
    viewer && MONTH.test(asked) && asked <= monthAfter(today.slice(0, 7), 1) ? asked : today.slice(0, 7);
  const own = viewer ? await call(checkInApi.month, { query: { month } }) : undefined;
  const tasks = viewer ? (await call(checkInApi.tasks, { query: { scene: [...TASK_SCENES] } })).data : {};
  return { own, tasks, today: own?.today ?? today, month, names: namesOf(locale, month) };
}

/** Formats the names of a calendar on the server, so that a browser with other names shows the same. */
function namesOf(locale: Locale, month: string) {
  const name = (options: Intl.DateTimeFormatOptions, time: number): string =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(time);
  const SUNDAY = Date.UTC(2026, 10, 1);
  return {
    month: name({ month: 'long', year: 'numeric' }, Date.parse(`${month}-01`)),
    /** Starting with Sunday. */
    days: Array.from({ length: 7 }, (_, at) => ({
      short: name({ weekday: 'short' }, SUNDAY + at * 86_400_000),
      long: name({ weekday: 'long' }, SUNDAY + at * 86_400_000),
    })),
  };
}

/** Checks in, or claims the reward that the form names. */
export async function action({ request, context }: Route.ActionArgs) {
  const { call, viewer } = context.get(pageServices);
  if (!viewer) return { isSignedOut: true };
  const asked = textOf(await request.formData(), 'type');
  const type = TASK_SCENES.find((scene) => scene === asked) ?? 'sign_in';
  await call(checkInApi.reward, { body: { type } });
  return { isSignedOut: false };
}

/** Days on which a member checked in. */
export default function CheckIn({ loaderData: { own, tasks, today, month, names } }: Route.ComponentProps) {
  const t = useT();
  const path = useLocalePath();
  const navigation = useNavigation();
  const calendar = calendarOf(month, t.locale);
  const { check_in: offer } = useOffers();
  const rewards = offer?.rewards ?? [];
  return (
    <>
      <PublicHead path="/check-in" title={t('checkIn.title')} description={t('checkIn.lead')} />
      <section className="mx-auto grid max-w-260 items-start gap-x-14 gap-y-8 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14 md:grid-cols-[minmax(0,1fr)_minmax(0,420px)]">
        <div>
          <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{t('checkIn.title')}</h1>
          <p className="mt-4 max-w-[34em] text-16 text-ink-2">{t('checkIn.lead')}</p>
          {own && (
            <dl className="mt-8 flex flex-wrap gap-x-10 gap-y-4">
              <Figure label={t('checkIn.streak')} value={t('checkIn.days', { count: own.streak })} />
              <Figure label={t('checkIn.total')} value={t('checkIn.days', { count: own.total })} />
              {(offer || own.earned_days > 0) && (
                <Figure label={t('checkIn.earned')} value={t('checkIn.days', { count: own.earned_days })} />
              )}
            </dl>
          )}
          <div className="mt-8">
            {!own ? (
              <>
                <Button
                  variant="primary"
                  size="l"
                  href={`/drive/login?continue=${encodeURIComponent(path('/check-in'))}`}
                >
                  {t('checkIn.signIn')}
                </Button>
                <p className="mt-3 text-13 text-ink-2">{t('checkIn.signInText')}</p>
              </>
            ) : own.checked_in ? (
              <p role="status" className="flex items-center gap-2 font-medium text-success">
                <Check aria-hidden="true" />
                {t('checkIn.done')}
              </p>
            ) : (
              <Form method="post" action={path('/check-in')} preventScrollReset>
                <Button
                  type="submit"
                  name="type"
                  value="sign_in"
                  variant="primary"
                  size="l"
                  busy={navigation.formData?.get('type') === 'sign_in'}
                >
                  {t('checkIn.button')}
                </Button>
              </Form>
            )}
            {own?.checked_in && (
              <p className="mt-3 text-13 text-ink-3 tabular-nums">
                {t.rich('checkIn.next', { time: <DateTime at={own.next_time} /> })}
              </p>
            )}
          </div>
          {offer && (
            <section aria-labelledby="rewards" className="mt-8 max-w-[40em]">
              <h2 id="rewards" className="text-16 font-semibold">
                {t('checkIn.rewards')}
              </h2>
              <ul className="mt-2 divide-y divide-line">
                {rewards.map(({ streak, days }) => (
                  <li key={streak} className="flex items-center justify-between gap-4 py-2.5 tabular-nums">
                    <span className={cx(own && own.streak >= streak && 'text-ink-2')}>
                      {t('checkIn.inRow', { count: streak })}
                    </span>
                    <span className="flex items-center gap-2 font-medium">
                      <Gift aria-hidden="true" className="text-gold" />
                      {t('checkIn.reward', { count: days, plan: offer.plan })}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <TaskRewardList statuses={tasks} isMember={own !== undefined} />
          <p className="mt-8 max-w-[40em] rounded-card border border-line bg-card px-4 py-3 text-13 text-ink-2">
            {offer ? t('checkIn.rewardsText') : t('checkIn.plain')}{' '}
            <LocaleLink to="/check-in-guide" className="text-blue-strong underline underline-offset-3">
              {t('checkIn.guide')}
            </LocaleLink>
          </p>
        </div>
        <MonthCard
          calendar={calendar}
          names={names}
          today={today}
          days={own?.days ?? []}
          canTurn={own !== undefined}
          earned={new Map(own?.earned.map(({ day, days }) => [day, days]))}
          coming={comingRewards(rewards, own ?? { today, streak: 0, checked_in: false })}
          plan={offer?.plan ?? ''}
        />
      </section>
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd className="mt-0.5 text-28 font-[650] tabular-nums">{value}</dd>
    </div>
  );
}

function MonthCard({
  calendar,
  names,
  today,
  days,
  canTurn,
  earned,
  coming,
  plan,
}: {
  calendar: Calendar;
  names: { month: string; days: readonly { short: string; long: string }[] };
  today: string;
  days: readonly string[];
  canTurn: boolean;
  /** Days of the plan that check-ins earned, and will earn if no day is missed; by day. */
  earned: ReadonlyMap<string, number>;
  coming: ReadonlyMap<string, number>;
  plan: string;
}) {
  const t = useT();
  const { month, weeks, firstDay } = calendar;
  const inOrder = names.days.map((_, at) => names.days[(at + firstDay) % 7]!);
  const next = monthAfter(month, 1);
  const rewardText = (count: number | undefined): string | undefined =>
    count === undefined ? undefined : t('checkIn.reward', { count, plan });
  return (
    <div className="rounded-dialog border border-line bg-card p-5 max-sm:p-3">
      <div className="flex items-center gap-1">
        <h2 id="month" className="flex-1 px-1 text-16 font-semibold first-letter:uppercase">
          {names.month}
        </h2>
        {canTurn && (
          <>
            <IconButton
              label={t('checkIn.earlier')}
              icon={<ChevronLeft />}
              href={`/check-in?month=${monthAfter(month, -1)}`}
            />
            {next <= monthAfter(today.slice(0, 7), coming.size > 0 ? 1 : 0) && (
              <IconButton
                label={t('checkIn.later')}
                icon={<ChevronRight />}
                href={`/check-in?month=${next}`}
              />
            )}
          </>
        )}
      </div>
      <table aria-labelledby="month" className="mt-3 w-full table-fixed text-center tabular-nums">
        <thead>
          <tr>
            {inOrder.map(({ short, long }) => (
              <th key={long} scope="col" abbr={long} className="h-9 text-12 font-medium text-ink-3">
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((day) => day !== undefined)}>
              {week.map((day, at) => (
                <td key={day ?? `${at}`} className="p-0.5">
                  {day !== undefined && (
                    <Day
                      day={day}
                      isToday={day === today}
                      isIn={days.includes(day)}
                      reward={rewardText(earned.get(day) ?? coming.get(day))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Day({
  day,
  isToday,
  isIn,
  reward,
}: {
  day: string;
  isToday: boolean;
  isIn: boolean;
  reward: string | undefined;
}) {
  const t = useT();
  return (
    <time
      dateTime={day}
      aria-current={isToday ? 'date' : undefined}
      className={cx(
        'relative mx-auto grid size-11 max-w-full place-items-center rounded-full text-13',
        isIn ? 'bg-blue font-semibold text-on-blue' : 'text-ink-2',
        isToday && !isIn && 'font-semibold text-ink ring-2 ring-blue',
      )}
    >
      {Number(day.slice(-2))}
      {isIn && <span className="sr-only">{` ${t('checkIn.wasHere')}`}</span>}
      {reward !== undefined && (
        <>
          <span className="sr-only">{` ${reward}`}</span>
          <span
            data-tip={reward}
            aria-hidden="true"
            className="absolute -top-1 -right-1 grid size-5 place-items-center rounded-full bg-gold-wash text-gold ring-1 ring-line"
          >
            <Gift className="size-3" />
          </span>
        </>
      )}
    </time>
  );
}
