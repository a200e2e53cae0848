import { CircleAlert, X } from 'lucide-react';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { reports, useReport, type Report } from './reports.ts';

/** Notice on every page of the drive while a report about failures is kept, and the report itself. */
export function ReportNotice() {
  const t = useT();
  const { report, isOpen } = useReport();
  const viewer = useViewer();
  if (!report || report.owner !== viewer?.sub) return null;
  return (
    <>
      <div
        role="status"
        className="flex items-center gap-2 border-b border-line bg-card px-6 py-1.5 max-md:flex-wrap max-md:px-4"
      >
        <CircleAlert className="shrink-0 text-danger" aria-hidden="true" />
        <span className="min-w-0 flex-1 font-medium">{titleOf(t, report)}</span>
        <Button size="s" className="max-md:h-11" onClick={reports.open}>
          {t('drive.report.open')}
        </Button>
        <IconButton label={t('ui.close')} icon={<X />} onClick={reports.dismiss} />
      </div>
      {isOpen && <ReportDialog report={report} />}
    </>
  );
}

function titleOf(t: ReturnType<typeof useT>, { what, failures: { length: count } }: Report): string {
  return t(`drive.report.${what}`, { count });
}

/** Number of failures that are listed; more are counted. */
const LISTED = 500;

function ReportDialog({ report }: { report: Report }) {
  const t = useT();
  const { failures, done, retry } = report;
  return (
    <Dialog
      isOpen
      isText
      onClose={reports.close}
      title={titleOf(t, report)}
      size="m"
      footer={
        <>
          <Button onClick={reports.dismiss}>{t('drive.report.dismiss')}</Button>
          {retry && (
            <Button
              variant="primary"
              onClick={() => {
                reports.dismiss();
                retry();
              }}
            >
              {t('ui.retry')}
            </Button>
          )}
        </>
      }
    >
      {done > 0 && <p className="pb-3 text-ink-2">{t('drive.report.done', { count: done })}</p>}
      <ul className="divide-y divide-line rounded-card border border-line">
        {failures.slice(0, LISTED).map(({ id, name, error }) => (
          <li key={id} className="px-3 py-2">
            <bdi className="block font-medium [overflow-wrap:anywhere]">
              {name === undefined ? t('drive.report.unnamed') : shownName(name)}
            </bdi>
            <span className="text-13 text-ink-2">{t.find(`error.${error}`, { name: name ?? '' })}</span>
          </li>
        ))}
      </ul>
      {failures.length > LISTED && (
        <p className="pt-3 text-ink-2">{t('drive.report.more', { count: failures.length - LISTED })}</p>
      )}
    </Dialog>
  );
}
