import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { BigSuccess } from './big-success.tsx';

export const handle = { layout: 'simple' };

export function loader(): null {
  return null;
}

export async function clientLoader(): Promise<null> {
  await loadMessages('member');
  return null;
}

/** Where a program on this device sends its browser once it has what it asked for. */
export default function AuthSuccess() {
  const t = useT();
  return (
    <>
      <PageTitle title={t('oauth.success.title')} noIndex />
      <BigSuccess
        title={t('oauth.success.title')}
        text={t('oauth.success.text')}
        actions={<Button href="/drive/all">{t('ui.user.drive')}</Button>}
      />
    </>
  );
}
