import type { FetcherWithComponents } from 'react-router';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormAlert, type FormErrors } from '../form/form-parts.tsx';

interface KeepFormProps {
  fetcher: FetcherWithComponents<FormResult>;
  action: string;
  kept: NonNullable<FormResult['keep']>;
  errors: FormErrors;
  /** True if the current page stays open. */
  stays: boolean;
}

/** Lets the owner keep an account that is being deleted, on signing in to it. */
export function KeepForm({ fetcher, action, kept, errors, stays }: KeepFormProps) {
  const t = useT();
  return (
    <fetcher.Form method="post" action={action} className="grid gap-4">
      <input type="hidden" name="keep" value={kept.ticket} />
      <input type="hidden" name="closes_at" value={kept.closesAt} />
      {stays && <input type="hidden" name="stay" value="1" />}
      <FormAlert>{errors.whole}</FormAlert>
      <div role="status" className="rounded-control bg-danger-wash px-4 py-3">
        <p className="font-medium">{t('account.keep.title')}</p>
        <p className="mt-1 text-13 text-ink-2">
          {t.rich('account.keep.text', { date: <DateTime at={kept.closesAt} /> })}
        </p>
      </div>
      <Button type="submit" variant="primary" size="l" busy={fetcher.state !== 'idle'} className="w-full">
        {t('account.keep.submit')}
      </Button>
      <Button href="/" variant="plain" className="w-full">
        {t('account.keep.leave')}
      </Button>
    </fetcher.Form>
  );
}
