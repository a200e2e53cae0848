import type { ReactNode } from 'react';
import { Check, CircleAlert, Copy, Cookie, FolderOpen, HardDrive, RotateCcw } from 'lucide-react';
import type { Task } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import type { Transfer } from './transfer-facts.ts';
import { TransferFiles } from './transfer-files.tsx';
import { needsCookie, needsSpace, type ConfirmedTransferActions } from './transfer-menu.tsx';
import { placeOf } from './transfer-places.ts';

/** Expanded part of a card: progress, the error with its remedy, the source, and the files. */
export function TransferDetails({
  task,
  transfer,
  actions,
}: {
  task: Task;
  transfer: Transfer;
  actions: ConfirmedTransferActions;
}) {
  const t = useT();
  const { state, url } = transfer;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Steps transfer={transfer} />
      {state === 'failed' && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="s"
            variant="primary"
            className="max-md:h-11"
            icon={<RotateCcw />}
            onClick={() => actions.retry([task])}
          >
            {t('ui.retry')}
          </Button>
          {needsCookie(transfer) && (
            <Button
              size="s"
              className="max-md:h-11"
              icon={<Cookie />}
              onClick={() => actions.addCookie(transfer)}
            >
              {t('transfers.addCookie')}
            </Button>
          )}
          {needsSpace(transfer) && (
            <Button size="s" className="max-md:h-11" icon={<HardDrive />} onClick={actions.freeSpace}>
              {t('transfers.freeSpace')}
            </Button>
          )}
        </div>
      )}
      {state === 'finished' && (
        <div className="flex flex-wrap gap-2">
          <Button size="s" variant="primary" className="max-md:h-11" href={placeOf(transfer).open}>
            {t('transfers.open')}
          </Button>
          <Button size="s" className="max-md:h-11" icon={<FolderOpen />} href={placeOf(transfer).show}>
            {t('transfers.showInFolder')}
          </Button>
        </div>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-13 max-md:grid-cols-1 max-md:gap-y-0.5">
        {url !== '' && (
          <Fact name={t('transfers.fact.link')}>
            <span className="flex min-w-0 items-center gap-1">
              <span className="min-w-0 truncate" title={url}>
                {url}
              </span>
              <IconButton
                size="s"
                label={t('transfers.copyLink')}
                icon={<Copy />}
                onClick={() => actions.copyLinks([transfer])}
                className="-my-1.5"
              />
            </span>
          </Fact>
        )}
        <Fact name={t('transfers.fact.source')}>{t(`transfers.source.${transfer.source}`)}</Fact>
        <Fact name={t('transfers.fact.added')}>
          <DateTime at={transfer.createdTime} />
        </Fact>
      </dl>
      {transfer.fileCount > 1 && <TransferFiles task={task} transfer={transfer} />}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="num min-w-0 text-ink-2 max-md:mb-2">{children}</dd>
    </>
  );
}

type StepState = 'done' | 'now' | 'to come' | 'failed';

const STEPS = ['resolve', 'download', 'store'] as const;

/** Index of the current step; three when all are done. */
function stepOf({ state, step, received, size }: Transfer): number {
  if (state === 'finished') return STEPS.length;
  if (step === 'storing' || step === 'seeding') return 2;
  if (step === 'fetching' || received > 0 || size !== undefined) return 1;
  return 0;
}

function Steps({ transfer }: { transfer: Transfer }) {
  const t = useT();
  const at = stepOf(transfer);
  return (
    <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13">
      {STEPS.map((step, place) => {
        const state: StepState =
          place < at
            ? 'done'
            : place > at
              ? 'to come'
              : transfer.state === 'failed'
                ? 'failed'
                : transfer.state === 'running'
                  ? 'now'
                  : 'to come';
        return (
          <li key={step} className="flex items-center gap-2" aria-current={place === at ? 'step' : undefined}>
            {place > 0 && <span aria-hidden="true" className="h-px w-6 bg-line max-sm:w-3" />}
            <StepMark state={state} />
            <span
              className={cx(
                state === 'to come' ? 'text-ink-3' : state === 'failed' ? 'text-danger' : 'text-ink',
                place === at && 'font-medium',
              )}
            >
              {t(`transfers.steps.${step}`)}
              <span className="sr-only">{state === 'done' ? ` (${t('transfers.steps.done')})` : ''}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function StepMark({ state }: { state: StepState }) {
  if (state === 'done') return <Check aria-hidden="true" className="size-4 text-success" />;
  if (state === 'failed') return <CircleAlert aria-hidden="true" className="size-4 text-danger" />;
  if (state === 'now') return <Spinner className="size-4 text-blue" />;
  return <span aria-hidden="true" className="mx-1 size-2 rounded-full bg-line-strong" />;
}
