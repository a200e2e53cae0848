import { useViewer } from '#app/api/viewer.ts';
import { AlternateLinks } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';

export default function Home() {
  const t = useT();
  const viewer = useViewer();
  return (
    <>
      <PageTitle description={t('site.home.lead')} />
      <AlternateLinks path="/" />
      <section className="mx-auto max-w-300 px-8 py-18 max-lg:px-5">
        <h1 className="text-40 font-[680]">{t('site.home.title')}</h1>
        <p className="mt-5 max-w-[32em] text-20 text-ink-2">{t('site.home.lead')}</p>
        <Button variant="primary" size="l" href={viewer ? '/drive/all' : '/sign-up'} className="mt-8">
          {viewer ? t('site.nav.drive') : t('site.nav.signUp')}
        </Button>
      </section>
    </>
  );
}
