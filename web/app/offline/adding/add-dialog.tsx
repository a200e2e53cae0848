import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Folder } from 'lucide-react';
import { useNavigate } from 'react-router';
import { driveApi, offlineApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { FolderPicker } from '#app/node/folder-picker.tsx';
import { SeePlans } from '#app/page/see-plans.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { FoundRow } from '../links/found-row.tsx';
import { LinkBox } from '../links/link-box.tsx';
import type { AddRequest } from '../offline-frame.ts';
import { AddOptions } from './add-options.tsx';
import { ALLOWANCE, SHOWN_LINKS, useAdding, type Adding } from './use-adding.ts';

const NONE: ReadonlySet<string> = new Set();
/** Most tasks that an address can name. */
const MARKED = 50;

/**
 * Dialog for links, magnets and torrents: inspected while they are pasted, and started together, inspected or
 * not.
 */
export function AddDialog({ request, onClose }: { request: AddRequest; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const path = useLocalePath();
  const [picksFolder, setPicksFolder] = useState(false);
  const [showsOptions, setShowsOptions] = useState(request.showOptions === true);
  const adding = useAdding(request, (tasks, isAll) => {
    if (isAll) onClose();
    // Remaining links stay in the dialog, over the page with the running ones.
    void navigate(path(`/drive/transfers?action=show_task&task_id=${tasks.slice(0, MARKED).join(',')}`));
  });
  const { wanted, startable, find, progress, target } = adding;
  const shown = wanted.slice(0, SHOWN_LINKS);

  return (
    <Dialog
      isOpen
      size="l"
      isDismissable={wanted.length === 0 && adding.text === ''}
      onClose={onClose}
      title={t('offline.add.title')}
      footer={
        <>
          <Button onClick={onClose}>{t(adding.hasStarted ? 'ui.close' : 'ui.cancel')}</Button>
          <Button
            variant="primary"
            disabled={startable.length === 0}
            busy={progress !== undefined}
            onClick={adding.start}
          >
            {progress && progress.count > 1
              ? t('offline.add.starting', progress)
              : t('offline.add.start', { count: startable.length })}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <LinkBox
          text={adding.text}
          onText={adding.write}
          onTorrents={adding.addTorrents}
          parsed={adding.parsed}
          onSubmit={adding.start}
          rows={wanted.length > 0 ? 3 : 6}
        />
        {wanted.length > 0 && (
          <div>
            <ul aria-label={t('offline.found.label')} className="rounded-card border border-line">
              {shown.map((one) => {
                const found = find(one.key);
                return (
                  <FoundRow
                    key={one.key}
                    name={one.name}
                    found={found}
                    failure={adding.failureOf(one.key)}
                    help={
                      found?.state === 'failed' && (
                        <>
                          {found.error === 'source_denied' && (
                            <Help onClick={() => setShowsOptions(true)}>{t('transfers.addCookie')}</Help>
                          )}
                          {one.link && found.error !== 'link_unsupported' && (
                            <Help onClick={() => adding.lookAgain(one)}>{t('offline.found.lookAgain')}</Help>
                          )}
                        </>
                      )
                    }
                    onRemove={() => adding.remove(one)}
                    onUnfold={() => adding.whole(one.key)}
                    startsUnfolded={wanted.length === 1}
                  />
                );
              })}
            </ul>
            {adding.refusals.map((id) => (
              <SeePlans key={id} error={id} className="mt-2 inline-block text-13" />
            ))}
            {wanted.length > shown.length && (
              <p className="pt-2 text-13 text-ink-3">
                {t('offline.found.more', { count: wanted.length - shown.length })}
              </p>
            )}
          </div>
        )}
        <div className="flex min-h-11 items-center gap-3 rounded-card border border-line py-1.5 pr-1.5 pl-3">
          <Folder className="shrink-0 text-ink-3" aria-hidden="true" />
          <span className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
            <span className="text-ink-2">{t('offline.add.saveTo')}</span>{' '}
            <b className="font-semibold">{target?.name ?? t('offline.add.ownFolder')}</b>
          </span>
          <Button size="s" variant="plain" className="max-md:h-11" onClick={() => setPicksFolder(true)}>
            {t('offline.add.changeFolder')}
          </Button>
        </div>
        <AddOptions
          key={String(showsOptions)}
          options={adding.options}
          onChange={adding.setOptions}
          isOpen={showsOptions}
        />
        <Limits adding={adding} />
      </div>
      {picksFolder && (
        <FolderPicker
          title={t('offline.add.pickTitle')}
          confirm={t('offline.add.pickHere')}
          start={target?.id ?? ''}
          refused={NONE}
          onClose={() => setPicksFolder(false)}
          onPick={(folder) => {
            adding.setTarget(folder);
            setPicksFolder(false);
          }}
        />
      )}
    </Dialog>
  );
}

function Help({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="relative rounded-small font-medium text-blue-strong after:absolute after:-inset-x-1 after:-inset-y-2.5 hover:underline"
    >
      {children}
    </button>
  );
}

/** Total size and number of tasks, compared with the free space and the day's limit. */
function Limits({ adding: { wanted, startable, find } }: { adding: Adding }) {
  const t = useT();
  const call = useCall();
  const format = useFormat();
  const { data: allowance } = useQuery({
    queryKey: ALLOWANCE,
    queryFn: () => call(offlineApi.allowance, {}),
  });
  const { data: about } = useQuery({
    queryKey: ['about'],
    queryFn: () => call(driveApi.about, { query: {} }),
  });

  let bytes = 0;
  for (const { key } of startable) {
    const found = find(key);
    bytes += (found?.tree && found.isWhole ? found.tree.totals().chosenBytes : found?.size) ?? 0;
  }
  const quota = about?.quota;
  const free =
    quota && !quota.is_unlimited ? Math.max(0, Number(quota.limit) - Number(quota.usage)) : undefined;
  const isTooMuch = free !== undefined && bytes > free;
  const left =
    allowance && allowance.daily_limit >= 0
      ? Math.max(0, allowance.daily_limit - allowance.daily_used)
      : undefined;
  const dead = wanted.filter(
    ({ key }) => find(key)?.state === 'failed' && !startable.some((one) => one.key === key),
  );
  return (
    <div className="num grid gap-1 text-13 text-ink-2">
      {dead.length > 0 && <p role="status">{t('offline.add.dead', { count: dead.length })}</p>}
      {free !== undefined && (
        <p className={cx(isTooMuch && 'font-medium text-danger')}>
          {isTooMuch
            ? t('offline.add.tooMuch', { size: format.bytes(bytes), free: format.bytes(free) })
            : bytes > 0
              ? t('offline.add.sizeOfFree', { size: format.bytes(bytes), free: format.bytes(free) })
              : t('offline.add.free', { free: format.bytes(free) })}
          {isTooMuch && <SeePlans error="file_space_not_enough" className="ms-1.5" />}
        </p>
      )}
      {left !== undefined && (
        <p className={cx(left < startable.length && 'font-medium text-warning')}>
          {t('offline.add.tasksLeft', { left, limit: allowance!.daily_limit })}
        </p>
      )}
    </div>
  );
}
