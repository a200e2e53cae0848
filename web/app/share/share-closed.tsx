import type { ReactNode } from 'react';
import { CircleSlash, Clock, EyeOff, Hourglass, Link2Off, SearchX, UserCheck } from 'lucide-react';
import type { ShareStatus } from '@bowerbird/contract';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Opening } from './share-data.ts';

type Closed = Exclude<ShareStatus, 'OK' | 'PASS_CODE_EMPTY' | 'PASS_CODE_ERROR'>;

const STATES: Readonly<Record<Closed, { icon: ReactNode; title: MessageKey; text: MessageKey }>> = {
  NOT_FOUND: {
    icon: <SearchX className="size-14 stroke-1" />,
    title: 'share.closed.notFound.title',
    text: 'share.closed.notFound.text',
  },
  DELETED: {
    icon: <Link2Off className="size-14 stroke-1" />,
    title: 'share.closed.deleted.title',
    text: 'share.closed.deleted.text',
  },
  EXPIRED: {
    icon: <Clock className="size-14 stroke-1" />,
    title: 'share.closed.expired.title',
    text: 'share.closed.expired.text',
  },
  MAX_RESTORE_COUNT: {
    icon: <UserCheck className="size-14 stroke-1" />,
    title: 'share.closed.full.title',
    text: 'share.closed.full.text',
  },
  PROHIBITED: {
    icon: <CircleSlash className="size-14 stroke-1" />,
    title: 'share.closed.prohibited.title',
    text: 'share.closed.prohibited.text',
  },
  AUDITING: {
    icon: <Hourglass className="size-14 stroke-1" />,
    title: 'share.closed.auditing.title',
    text: 'share.closed.auditing.text',
  },
  SENSITIVE_RESOURCE: {
    icon: <EyeOff className="size-14 stroke-1" />,
    title: 'share.closed.sensitive.title',
    text: 'share.closed.sensitive.text',
  },
  SENSITIVE_WORD: {
    icon: <EyeOff className="size-14 stroke-1" />,
    title: 'share.closed.sensitive.title',
    text: 'share.closed.sensitive.text',
  },
};

/** Page for each status that keeps a share closed: one sentence with the reason, and one link to continue. */
export default function ShareClosed({ shareId, opening }: { shareId: string; opening: Opening }) {
  const t = useT();
  const { share_status: status, share_status_text: told, own } = opening;
  const state = STATES[status as Closed] ?? STATES.NOT_FOUND;
  // A paused share has no status of its own; only the server's text distinguishes it from a prohibited one.
  const isPause = status === 'PROHIBITED' && told !== '' && told !== t('share.status.PROHIBITED');
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        level={1}
        mark={state.icon}
        title={t(state.title as 'share.closed.notFound.title')}
        text={isPause ? told : t(state.text as 'share.closed.notFound.text')}
        actions={
          own ? (
            <Button variant="primary" size="l" href={`/drive/shares?share_id=${shareId}`}>
              {t('share.manage')}
            </Button>
          ) : (
            <Button variant="primary" size="l" href="/">
              {t('share.closed.home')}
            </Button>
          )
        }
      />
    </div>
  );
}
