import { ApiFailure, ledgerApi, type ErrorId } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { useWayOut } from '#app/page/use-failure-toast.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Route } from './+types/download-limit';

/** The limit that was reached: of a member’s own downloads with its numbers, or of those through somebody’s shares. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { call, viewer } = context.get(pageServices);
  const id: ErrorId =
    url.searchParams.get('of') === 'shared' ? 'traffic_shared_limit' : 'traffic_download_limit';
  if (!viewer || id === 'traffic_shared_limit') return { id, facts: {} };
  const { kinds, reset_time: reset } = await call(ledgerApi.traffic, {});
  const own = kinds.find(({ kind }) => kind === 'download');
  const retryIn = Math.ceil((Date.parse(reset) - Date.now()) / 1000);
  const facts: Record<string, string> =
    own && Number(own.limit) >= 0
      ? { used_bytes: own.used, limit_bytes: own.limit, retry_in: String(retryIn) }
      : {};
  return { id, facts };
}

/** The page that a download link leads to instead of a file once the traffic of the month is used up. */
export default function DownloadLimit({ loaderData: { id, facts } }: Route.ComponentProps) {
  const t = useT();
  const textFor = useErrorText();
  const raised = useWayOut()(id);
  return (
    <>
      <PageTitle title={t('more.downloads')} noIndex />
      <EmptyState
        level={1}
        title={t('more.downloads')}
        text={textFor(new ApiFailure(id, facts))}
        actions={
          <>
            {raised !== undefined && (
              <Button variant="primary" href={raised}>
                {t('more.see')}
              </Button>
            )}
            <Button href="/">{t('site.nav.home')}</Button>
          </>
        }
      />
    </>
  );
}
