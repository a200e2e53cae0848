import { useEffect, useRef, type ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import type { RenewalState } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Card } from '#app/ui/card.tsx';
import { useFocusOnChange } from '#app/ui/use-focus-on-change.ts';
import { termText } from './product-card.tsx';
import type { PricedRenewal } from './renewal.ts';

const PATH = '/drive/payment';

const TONES: Readonly<Record<Exclude<RenewalState, 'ended'>, BadgeTone>> = {
  active: 'success',
  canceled: 'neutral',
  past_due: 'danger',
};

/**
 * A plan that renews: its price, the next charge, and how to stop it. Stopping is confirmed on the page itself, so that it
 * works without scripts. `url` is a page of the payment service that the member has asked for.
 */
export function RenewalCard({
  renewal,
  isCanceling,
  url,
}: {
  renewal: PricedRenewal;
  isCanceling: boolean;
  url: string | undefined;
}) {
  const t = useT();
  const { state, name, price } = renewal;
  // Not by a redirect, which browsers refuse as the answer to a form of our pages.
  useEffect(() => {
    if (url !== undefined) globalThis.location.assign(url);
  }, [url]);
  const isRenewing = state === 'active' || state === 'past_due';
  const isAsking = isRenewing && isCanceling;
  // The question and its buttons come and go; what they lead to is told here.
  const prospect = useFocusOnChange<HTMLParagraphElement>(`${state} ${isAsking}`);
  return (
    <Card title={t('payment.renewal.title')}>
      <div className="-mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-20 font-[650] wrap-anywhere">{name}</p>
        {state !== 'ended' && <Badge tone={TONES[state]}>{t(`payment.renewal.state.${state}`)}</Badge>}
      </div>
      <p className="mt-1 text-ink-2 tabular-nums">
        {price} · {termText(t, { months: renewal.months, days: 0 })}
      </p>
      <p
        // The question takes the focus itself.
        ref={isAsking ? undefined : prospect}
        tabIndex={-1}
        className={cx('mt-3 outline-none', state === 'past_due' ? 'text-danger' : 'tabular-nums')}
      >
        <Prospect renewal={renewal} />
      </p>
      {isAsking ? (
        <Confirm renewal={renewal} />
      ) : (
        <div className="mt-4 flex flex-wrap gap-2">
          {url === undefined ? (
            <Act renewal={renewal} intent="method" isPrimary={state === 'past_due'}>
              {t('payment.renewal.method')}
            </Act>
          ) : (
            <Button href={url} variant="primary">
              {t('payment.renewal.open')}
            </Button>
          )}
          {isRenewing ? (
            <Button href={`${PATH}?cancel=${renewal.id}`}>{t('payment.renewal.cancel')}</Button>
          ) : (
            <Act renewal={renewal} intent="resume">
              {t('payment.renewal.resume')}
            </Act>
          )}
        </div>
      )}
    </Card>
  );
}

/** The next charge, or the end. */
function Prospect({ renewal }: { renewal: PricedRenewal }) {
  const t = useT();
  const { state, price, next_charge_time: next, paid_until_time: until } = renewal;
  if (state === 'past_due') return t('payment.renewal.failed');
  if (state === 'active')
    return next === ''
      ? null
      : t.rich('payment.renewal.next', { price, date: <DateTime at={next} as="date" /> });
  return until === ''
    ? t('payment.renewal.over')
    : t.rich('payment.renewal.until', { date: <DateTime at={until} as="date" /> });
}

function Confirm({ renewal }: { renewal: PricedRenewal }) {
  const t = useT();
  const question = useRef<HTMLParagraphElement>(null);
  useEffect(() => question.current?.focus(), []);
  const { name: product, paid_until_time: until } = renewal;
  return (
    <div className="mt-4 rounded-card bg-sunken p-4">
      <p ref={question} tabIndex={-1} className="outline-none">
        {until === ''
          ? t('payment.renewal.cancelNow', { product })
          : t.rich('payment.renewal.cancelText', { product, date: <DateTime at={until} as="date" /> })}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button href={PATH}>{t('payment.renewal.keep')}</Button>
        <Act renewal={renewal} intent="cancel" isDanger>
          {t('payment.renewal.cancel')}
        </Act>
      </div>
    </div>
  );
}

function Act({
  renewal: { id },
  intent,
  isPrimary = false,
  isDanger = false,
  children,
}: {
  renewal: PricedRenewal;
  intent: 'cancel' | 'resume' | 'method';
  isPrimary?: boolean;
  isDanger?: boolean;
  children: ReactNode;
}) {
  const path = useLocalePath();
  const { formData } = useNavigation();
  const isBusy = formData?.get('renewal') === id && formData.get('intent') === intent;
  return (
    <Form method="post" action={path(PATH)}>
      <input type="hidden" name="renewal" value={id} />
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" variant={isDanger ? 'danger' : isPrimary ? 'primary' : 'line'} busy={isBusy}>
        {children}
      </Button>
    </Form>
  );
}
