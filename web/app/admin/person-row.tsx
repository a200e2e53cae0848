import { CircleOff, Crown, EllipsisVertical, HardDrive, LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import type { Person } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';

interface Actions {
  readonly admit: () => void;
  readonly decline: () => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly storage: () => void;
  /** Undefined if there are no plans. */
  readonly plan: (() => void) | undefined;
  readonly endPlans: () => void;
}

const TONES = { waiting: 'warning', review: 'warning', frozen: 'danger', closing: 'danger' } as const;

/** One account: its owner, state, storage, and the available actions. */
export function PersonRow({
  person,
  actions,
  isBusy,
}: {
  person: Person;
  actions: Actions;
  isBusy: boolean;
}) {
  const t = useT();
  const format = useFormat();
  const { name, status } = person;
  const isShut = status === 'frozen' || status === 'review';
  return (
    <li className="flex items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3 first:border-t-0 max-md:px-4 max-md:has-[[data-choice]]:flex-wrap">
      <Avatar name={name} size={36} />
      <div className="min-w-0 flex-1 max-md:basis-50">
        <p className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
          {name}
          {person.operator && <Badge tone="blue">{t('admin.operator')}</Badge>}
          {status !== 'active' && <Badge tone={TONES[status]}>{t(`admin.status.${status}`)}</Badge>}
        </p>
        <p className="text-13 text-ink-2 [overflow-wrap:anywhere]">{person.email || person.phone_number}</p>
        <p className="num text-13 text-ink-3">
          <Dotted
            facts={[
              t('admin.usage', {
                used: format.bytes(person.storage_used),
                limit: format.bytes(person.storage_limit),
              }),
              ...person.plans.map(({ name: plan, expire }) =>
                expire === ''
                  ? plan
                  : t.rich('admin.planUntil', { plan, date: <DateTime at={expire} as="date" /> }),
              ),
              person.seen_at === ''
                ? t('admin.neverSeen')
                : t.rich('admin.seen', { when: <DateTime at={person.seen_at} as="relative" /> }),
            ]}
          />
        </p>
      </div>
      {status === 'waiting' ? (
        <span data-choice className="flex gap-2 max-md:w-full max-md:[&>*]:h-11 max-md:[&>*]:flex-1">
          <Button size="s" disabled={isBusy} onClick={actions.decline}>
            {t('admin.decline')}
          </Button>
          <Button size="s" variant="primary" busy={isBusy} onClick={actions.admit}>
            {t('admin.approve')}
          </Button>
        </span>
      ) : (
        <MenuTrigger>
          <IconButton label={t('admin.actions', { name })} icon={<EllipsisVertical />} />
          <Menu>
            <MenuItem icon={<HardDrive />} onAction={actions.storage}>
              {t('admin.setStorage')}
            </MenuItem>
            {actions.plan && (
              <MenuItem icon={<Crown />} onAction={actions.plan}>
                {t('admin.plan')}
              </MenuItem>
            )}
            {actions.plan && person.plans.length > 0 && (
              <MenuItem icon={<CircleOff />} onAction={actions.endPlans}>
                {t('admin.endPlans')}
              </MenuItem>
            )}
            {isShut && (
              <MenuItem icon={<LockKeyholeOpen />} onAction={actions.thaw}>
                {t('admin.thaw')}
              </MenuItem>
            )}
            {status === 'active' && !person.operator && (
              <MenuItem icon={<LockKeyhole />} isDanger onAction={actions.freeze}>
                {t('admin.freeze')}
              </MenuItem>
            )}
          </Menu>
        </MenuTrigger>
      )}
    </li>
  );
}
