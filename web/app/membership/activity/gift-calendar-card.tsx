import { Gift } from 'lucide-react';
import { Form, useNavigation } from 'react-router';
import type { GiftCalendar, GiftDay } from '@bowerbird/contract';
import { useViewer } from '#app/api/viewer.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { useFocusOnChange } from '#app/ui/use-focus-on-change.ts';
import { cx } from '#app/ui/class-names.ts';
import { useGiftText } from './gift-text.tsx';

/** Names of a calendar's days, formatted on the server. The month is empty unless it has to be shown. */
export type CalendarNames = Readonly<Record<string, { readonly date: string; readonly month: string }>>;

/** Calendar with a gift for each day, and a button that opens today's; works without scripts. */
export function GiftCalendarCard({
  path,
  calendar: { today, days, next_time: next },
  names,
}: {
  /** The page's own address. */
  path: string;
  calendar: GiftCalendar;
  names: CalendarNames;
}) {
  const t = useT();
  const localePath = useLocalePath();
  const giftText = useGiftText();
  const { formMethod } = useNavigation();
  const isSignedIn = Boolean(useViewer());
  const open = days.find(({ state }) => state === 'open');
  const opened = days.find(({ day, gift }) => day === today && gift);
  const result = useFocusOnChange<HTMLParagraphElement>(opened !== undefined);
  return (
    <Card title={t('activity.calendar.title')}>
      {open && isSignedIn && (
        <Form method="post" action={localePath(path)} preventScrollReset>
          <Button type="submit" variant="primary" size="l" icon={<Gift />} busy={formMethod === 'POST'}>
            {t('activity.calendar.open')}
          </Button>
        </Form>
      )}
      {open && !isSignedIn && (
        <Button
          variant="primary"
          size="l"
          href={`/drive/login?continue=${encodeURIComponent(localePath(path))}`}
        >
          {t('activity.calendar.signIn')}
        </Button>
      )}
      {opened?.gift && (
        <p
          ref={result}
          tabIndex={-1}
          role="status"
          className="flex items-center gap-3 text-16 font-medium outline-none"
        >
          <Gift aria-hidden="true" className="shrink-0 text-gold" />
          {t('activity.calendar.today', { gift: giftText(opened.gift) })}
        </p>
      )}
      {!open && !opened && <p className="text-ink-2">{t('activity.calendar.none')}</p>}
      {next !== '' && (
        <p className="mt-3 text-13 text-ink-2 tabular-nums">
          {t.rich('activity.calendar.next', { time: <DateTime at={next} /> })}
        </p>
      )}
      <ol className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(48px,1fr))] sm:grid-cols-[repeat(auto-fill,minmax(72px,1fr))] gap-2">
        {days.map((day) => (
          <Door key={day.day} day={day} names={names} isToday={day.day === today} />
        ))}
      </ol>
      <p className="mt-5 text-13 text-ink-2">{t('activity.calendar.rule')}</p>
    </Card>
  );
}

function Door({
  day: { day, state, gift },
  names,
  isToday,
}: {
  day: GiftDay;
  names: CalendarNames;
  isToday: boolean;
}) {
  const t = useT();
  const giftText = useGiftText();
  const { date, month } = names[day] ?? { date: day, month: '' };
  const said = gift ? giftText(gift) : t(`activity.calendar.state.${state === 'opened' ? 'past' : state}`);
  return (
    <li className="grid">
      <time
        dateTime={day}
        aria-current={isToday ? 'date' : undefined}
        data-tip={gift ? said : undefined}
        className={cx(
          'relative grid aspect-square place-items-center rounded-card border tabular-nums',
          state === 'opened' && 'border-transparent bg-gold-wash text-gold',
          state === 'open' && 'border-blue bg-blue-wash font-semibold text-blue-strong ring-1 ring-blue',
          state === 'past' && 'border-transparent bg-sunken text-ink-3',
          state === 'coming' && 'border-line text-ink-2',
        )}
      >
        <span className="sr-only">{`${date}: ${said}`}</span>
        <span aria-hidden="true" className="grid justify-items-center gap-1">
          {gift && <Gift className="size-5" />}
          <span className={gift ? 'text-12' : 'text-16'}>{Number(day.slice(-2))}</span>
        </span>
        {month !== '' && (
          <span aria-hidden="true" className="absolute top-1 left-2 text-[11px] text-ink-3">
            {month}
          </span>
        )}
      </time>
    </li>
  );
}
