import { isRouteErrorResponse } from 'react-router';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { PageTitle } from './page-title.tsx';

/** Shown in place of a member's page that doesn't exist or failed: the error, and a link back to the drive. */
export function PageFailure({ error }: { error: unknown }) {
  const t = useT();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const title = isMissing ? t('site.notFound.title') : t('site.broken.title');
  return (
    <>
      <PageTitle title={title} noIndex />
      <EmptyState
        level={1}
        title={title}
        text={isMissing ? t('ui.missing.tip') : t('site.broken.tip')}
        actions={
          <>
            <Button variant="primary" href="/drive/all">
              {t('ui.missing.drive')}
            </Button>
            {!isMissing && <Button onClick={() => location.reload()}>{t('ui.retry')}</Button>}
          </>
        }
      />
    </>
  );
}
