import { Ban, Download, EllipsisVertical } from 'lucide-react';
import type { CodeBatch } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';

const TONES = { active: 'success', coming: 'warning', ended: 'neutral' } as const;

/** A batch of codes: what they grant, how many were redeemed, and the available actions. */
export function BatchRow({ batch, onEnd }: { batch: CodeBatch; onEnd: () => void }) {
  const t = useT();
  const format = useFormat();
  const { kind, state, count, uses } = batch;
  const isGone = kind === 'plan' && batch.plan_name === '';
  const gift =
    kind === 'storage'
      ? t('payment.limit.storage', { size: format.bytes(batch.bytes) })
      : batch.plan_name || batch.plan;
  const from = <DateTime at={batch.starts_at} as="date" />;
  const period =
    batch.ends_at === ''
      ? t.rich('admin.codes.since', { date: from })
      : t.rich('admin.codes.period', { from, until: <DateTime at={batch.ends_at} as="date" /> });
  const canDownload = batch.exportable;
  const canEnd = state !== 'ended';
  return (
    <li className="flex items-center gap-4 border-t border-line px-5 py-3 first:border-t-0 max-md:px-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
          {gift}
          <span className="text-ink-2">{t('payment.days', { count: batch.days })}</span>
          <Badge tone={TONES[state]}>{t(`admin.codes.state.${state}`)}</Badge>
        </p>
        {batch.note !== '' && <p className="text-13 text-ink-2 [overflow-wrap:anywhere]">{batch.note}</p>}
        <p className="num text-13 text-ink-3">
          <Dotted
            facts={[
              t('admin.codes.number', { count }),
              ...(uses > 1 ? [t('admin.codes.each', { count: uses })] : []),
              t('admin.codes.used', {
                used: format.number(batch.used),
                total: format.number(count * uses),
              }),
              ...(batch.audience === 'everyone' ? [] : [t(`admin.codes.audience.${batch.audience}`)]),
              period,
            ]}
          />
        </p>
        {isGone && <p className="text-13 text-danger">{t('admin.codes.planGone', { plan: batch.plan })}</p>}
        {!canDownload && <p className="text-13 text-ink-2">{t('admin.codes.locked')}</p>}
      </div>
      {(canDownload || canEnd) && (
        <MenuTrigger>
          <IconButton
            label={t('admin.codes.actions', { name: batch.note || gift })}
            icon={<EllipsisVertical />}
          />
          <Menu>
            {canDownload && (
              <MenuItem
                icon={<Download />}
                onAction={() => location.assign(`/admin/v1/code-batches/${batch.id}/codes.csv`)}
              >
                {t('admin.codes.download')}
              </MenuItem>
            )}
            {canEnd && (
              <MenuItem icon={<Ban />} isDanger onAction={onEnd}>
                {t('admin.codes.end')}
              </MenuItem>
            )}
          </Menu>
        </MenuTrigger>
      )}
    </li>
  );
}
