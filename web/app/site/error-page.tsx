import { isRouteErrorResponse } from 'react-router';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { Mark } from '#app/ui/mark.tsx';

/** Page for missing addresses and errors: the logo, one sentence, and one link to continue. */
export function ErrorPage({ error }: { error: unknown }) {
  const t = useT();
  const viewer = useViewer();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const isMissing = status === 404;
  const detail = isRouteErrorResponse(error) && typeof error.data === 'string' ? error.data : undefined;
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-16 text-center">
      <PageTitle title={isMissing ? t('site.notFound.title') : t('site.broken.title')} noIndex />
      <div className="flex max-w-120 flex-col items-center">
        <Mark size={72} className="mb-8 text-ink" />
        <h1 className="text-28 font-[650]">
          {isMissing ? t('site.notFound.title') : t('site.broken.title')}
        </h1>
        <p className="mt-3 text-16 text-ink-2">
          {isMissing ? t('not-found-page-tip') : t('site.broken.tip')}
        </p>
        {detail !== undefined && (
          <p className="mt-3 font-mono text-13 [overflow-wrap:anywhere] text-ink-3">{detail}</p>
        )}
        <div className="mt-8 flex flex-wrap justify-center gap-2.5">
          {viewer && (
            <Button variant="primary" size="l" href="/drive/all">
              {t('ui.missing.drive')}
            </Button>
          )}
          <Button variant={viewer ? 'line' : 'primary'} size="l" href="/">
            {t('site.notFound.home')}
          </Button>
          {!isMissing && (
            <Button size="l" onClick={() => location.reload()}>
              {t('ui.retry')}
            </Button>
          )}
        </div>
      </div>
    </main>
  );
}
