import { useState, type ReactNode } from 'react';
import type { Task } from '@bowerbird/contract';
import { copyText } from '#app/browser/copy-text.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { useOffline } from '../offline-frame.ts';
import type { Transfer } from './transfer-facts.ts';
import type { ConfirmedTransferActions } from './transfer-menu.tsx';
import { useTransferActions } from './use-transfer-actions.ts';

type Question = { readonly kind: 'cancel' | 'remove'; readonly tasks: readonly Task[] };

const hasArrived = ({ params }: Task): boolean => Number(params['received'] ?? 0) > 0;

/** Joins the links, one per line, without duplicates. */
export const linksOf = (transfers: readonly Pick<Transfer, 'url'>[]): string =>
  [...new Set(transfers.map(({ url }) => url).filter((url) => url !== ''))].join('\n');

/** Actions on transfers, with their confirmations; `onDone` is called with the removed tasks. */
export function useConfirmedTransferActions(
  freeSpace: () => void,
  onDone: (tasks: readonly Task[]) => void,
): { actions: ConfirmedTransferActions; questions: ReactNode } {
  const t = useT();
  const { addLinks } = useOffline();
  const immediate = useTransferActions();
  const [question, setQuestion] = useState<Question>();
  const remove = (tasks: readonly Task[], withFiles: boolean): void => {
    onDone(tasks);
    void immediate.remove(tasks, { withFiles });
  };
  const actions: ConfirmedTransferActions = {
    pause: (tasks) => void immediate.pause(tasks),
    resume: (tasks) => void immediate.resume(tasks),
    retry: (tasks) => void immediate.retry(tasks),
    prioritize: (tasks, priority) => void immediate.prioritize(tasks, priority),
    cancel: (tasks) =>
      tasks.length > 1 || tasks.some(hasArrived)
        ? setQuestion({ kind: 'cancel', tasks })
        : remove(tasks, false),
    forget: (tasks) => remove(tasks, false),
    removeWithFiles: (tasks) => setQuestion({ kind: 'remove', tasks }),
    addCookie: ({ id, url, folderId, folderName }) =>
      addLinks({
        text: url,
        showOptions: true,
        replaces: id,
        ...(folderId === '' ? {} : { target: { id: folderId, name: folderName } }),
      }),
    freeSpace,
    copyLinks: (transfers) =>
      void copyText(linksOf(transfers)).then(
        () => toast.show({ text: t('transfers.said.copied', { count: transfers.length }) }),
        () => toast.show({ text: t('drive.share.copyFailed'), tone: 'danger' }),
      ),
  };
  const count = question?.tasks.length ?? 0;
  const name = shownName(question?.tasks[0]?.name ?? '');
  return {
    actions,
    questions: (
      <ConfirmDialog
        isOpen={question !== undefined}
        onClose={() => setQuestion(undefined)}
        isDanger
        title={
          question?.kind === 'remove'
            ? t('transfers.removeTitle', { count })
            : t('transfers.cancelTitle', { count })
        }
        text={
          <span className="[overflow-wrap:anywhere]">
            {question?.kind === 'remove'
              ? t('transfers.removeText', { count, name })
              : t('transfers.cancelText', { count, name })}
          </span>
        }
        confirmLabel={question?.kind === 'remove' ? t('transfers.removeWithFiles') : t('transfers.cancel')}
        cancelLabel={question?.kind === 'remove' ? t('ui.cancel') : t('transfers.keepGoing')}
        onConfirm={() => {
          if (question) remove(question.tasks, question.kind === 'remove');
          setQuestion(undefined);
        }}
      />
    ),
  };
}
