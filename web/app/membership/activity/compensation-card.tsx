import { Check } from 'lucide-react';
import { Form, useNavigation } from 'react-router';
import type { Compensation } from '@bowerbird/contract';
import { useViewer } from '#app/api/viewer.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { useFocusOnChange } from '#app/ui/use-focus-on-change.ts';
import { GiftList } from './gift-text.tsx';

/** The gifts of a compensation, and a button that claims it; works without scripts. `path` is the page's own address. */
export function CompensationCard({
  path,
  compensation: { gifts, affected, claimed_time: claimed },
}: {
  path: string;
  compensation: Compensation;
}) {
  const t = useT();
  const localePath = useLocalePath();
  const { formMethod } = useNavigation();
  const isSignedIn = Boolean(useViewer());
  const result = useFocusOnChange<HTMLParagraphElement>(claimed !== '');
  return (
    <Card title={t('activity.compensation.title')}>
      <GiftList gifts={gifts} />
      <div className="mt-6">
        {!isSignedIn ? (
          <>
            <Button
              variant="primary"
              size="l"
              href={`/drive/login?continue=${encodeURIComponent(localePath(path))}`}
            >
              {t('activity.compensation.signIn')}
            </Button>
            <p className="mt-3 text-13 text-ink-2">{t('activity.compensation.signInText')}</p>
          </>
        ) : claimed !== '' ? (
          <>
            <p
              ref={result}
              tabIndex={-1}
              role="status"
              className="flex items-center gap-2 font-medium text-success outline-none"
            >
              <Check aria-hidden="true" className="shrink-0" />
              <span>
                {t.rich('activity.compensation.claimed', { date: <DateTime at={claimed} as="date" /> })}
              </span>
            </p>
            <div className="mt-4">
              <Button href="/inapp/shop">{t('apps.shop.title')}</Button>
            </div>
          </>
        ) : affected ? (
          <Form method="post" action={localePath(path)} preventScrollReset>
            <Button type="submit" variant="primary" size="l" busy={formMethod === 'POST'}>
              {t('activity.compensation.claim')}
            </Button>
          </Form>
        ) : (
          <p className="text-ink-2">{t('activity.compensation.notAffected')}</p>
        )}
      </div>
    </Card>
  );
}
