import { useId } from 'react';
import {
  ChevronDown,
  Copy,
  MoreHorizontal,
  Pause,
  Pencil,
  Play,
  RefreshCw,
  Repeat,
  Rss,
  Trash2,
} from 'lucide-react';
import type { Subscription } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Badge } from '#app/ui/badge.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { intervalText } from './interval.ts';
import { SubscriptionItems } from './subscription-items.tsx';
import type { ConfirmedSubscriptionActions } from './use-confirmed-subscription-actions.ts';

export interface CardProps {
  readonly subscription: Subscription;
  readonly actions: ConfirmedSubscriptionActions;
  readonly isUnfolded: boolean;
  readonly onUnfold: () => void;
  readonly onEdit: () => void;
}

/** Subscription with its source, its status, and the items found. */
export function SubscriptionCard({ subscription, actions, isUnfolded, onUnfold, onEdit }: CardProps) {
  const t = useT();
  const itemsId = useId();
  const { name, kind, active, running, message } = subscription;
  const Kind = kind === 'feed' ? Rss : Repeat;
  return (
    <article className="rounded-card border border-line bg-card">
      <div className="flex items-start gap-3 py-3 pr-2 pl-3.5">
        <span
          className={cx(
            'grid size-10 shrink-0 place-items-center rounded-control',
            active ? 'bg-blue-wash text-blue-strong' : 'bg-sunken text-ink-3',
          )}
        >
          <Kind aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <button
              type="button"
              aria-expanded={isUnfolded}
              aria-controls={isUnfolded ? itemsId : undefined}
              onClick={onUnfold}
              className="line-clamp-2 w-fit max-w-full rounded-small text-start font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {name}
            </button>
            {!active && <Badge>{t('subscription.paused')}</Badge>}
          </div>
          {message !== '' && !running && <Trouble subscription={subscription} />}
          <Facts subscription={subscription} />
        </div>
        <span className="flex shrink-0 items-center">
          <IconButton
            label={active ? t('subscription.pauseOne', { name }) : t('subscription.resumeOne', { name })}
            icon={active ? <Pause /> : <Play />}
            onClick={() => actions.setActive(subscription, !active)}
          />
          <span className="flex max-md:hidden">
            <IconButton
              label={t('subscription.runOne', { name })}
              icon={<RefreshCw />}
              disabled={running}
              onClick={() => actions.run(subscription)}
            />
            <IconButton
              label={
                isUnfolded ? t('subscription.hideItems', { name }) : t('subscription.showItems', { name })
              }
              icon={<ChevronDown className={cx('transition-transform', isUnfolded && 'rotate-180')} />}
              aria-expanded={isUnfolded}
              onClick={onUnfold}
            />
          </span>
          <CardMenu subscription={subscription} actions={actions} onEdit={onEdit} />
        </span>
      </div>
      {isUnfolded && (
        <div id={itemsId} className="border-t border-line px-3.5 pt-1 pb-3">
          <SubscriptionItems subscription={subscription} actions={actions} />
        </div>
      )}
    </article>
  );
}

/** Error, and time of the next attempt. */
function Trouble({
  subscription: { message, waiting_count: waiting, active, next_run_time: next },
}: Pick<CardProps, 'subscription'>) {
  const t = useT();
  return (
    <p className={cx('mt-0.5 text-13', waiting > 0 ? 'text-warning' : 'text-danger')}>
      {message}{' '}
      {active &&
        isAhead(next) &&
        t.rich('subscription.again', { when: <DateTime at={next} as="relative" /> })}
    </p>
  );
}

function Facts({ subscription }: Pick<CardProps, 'subscription'>) {
  const t = useT();
  const { every_minutes: every, running, active, next_run_time: next } = subscription;
  const { taken_count: taken, waiting_count: waiting, message } = subscription;
  const coming = isAhead(next)
    ? t.rich('subscription.next', { when: <DateTime at={next} as="relative" /> })
    : t('subscription.soon');
  const facts = [
    intervalText(t, every),
    ...(active && !running && message === '' ? [coming] : []),
    t('subscription.taken', { count: taken }),
    ...(waiting > 0 ? [t('subscription.waiting', { count: waiting })] : []),
  ];
  return (
    <p className="num mt-0.5 text-13 text-ink-3">
      {running && (
        <span className="mr-1.5 inline-flex items-center gap-1.5 text-blue-strong">
          <Spinner className="size-3.5" />
          {t('subscription.running')}
        </span>
      )}
      <Dotted facts={[...facts, <Target key="target" subscription={subscription} />]} />
    </p>
  );
}

/** Target folder. */
function Target({ subscription }: Pick<CardProps, 'subscription'>) {
  const t = useT();
  const { folder_type: type, parent_id: parent, folder_name: name } = subscription;
  // The subscription's own folder is created with the first item saved to it.
  if (type === 'DOWNLOAD' || (parent !== '' && name === ''))
    return <span className="text-ink-2">{name}</span>;
  return (
    <LocaleLink
      to={parent === '' ? '/drive/all' : `/drive/all/${parent}`}
      className="rounded-small text-ink-2 underline-offset-2 [overflow-wrap:anywhere] hover:text-ink hover:underline"
    >
      {name || t('drive.files')}
    </LocaleLink>
  );
}

function CardMenu({ subscription, actions, onEdit }: Pick<CardProps, 'subscription' | 'actions' | 'onEdit'>) {
  const t = useT();
  const { name, running, active } = subscription;
  return (
    <MenuTrigger>
      <IconButton label={t('subscription.menuOf', { name })} icon={<MoreHorizontal />} />
      <Menu aria-label={t('subscription.menuOf', { name })}>
        <MenuItem icon={<RefreshCw />} isDisabled={running} onAction={() => actions.run(subscription)}>
          {t('subscription.run')}
        </MenuItem>
        <MenuItem
          icon={active ? <Pause /> : <Play />}
          onAction={() => actions.setActive(subscription, !active)}
        >
          {active ? t('subscription.pause') : t('subscription.resume')}
        </MenuItem>
        <MenuItem icon={<Pencil />} onAction={onEdit}>
          {t('subscription.edit')}
        </MenuItem>
        <MenuItem icon={<Copy />} onAction={() => actions.copyAddress(subscription)}>
          {t('subscription.copy')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} isDanger onAction={() => actions.remove(subscription)}>
          {t('subscription.remove')}
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}

const isAhead = (time: string): boolean => Date.parse(time) - Date.now() > 60_000;
