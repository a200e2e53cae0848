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

/** Page to which a program on this device redirects its browser after successful authorization. */
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
