import type { ledgerApi, LimitItem, ReplyOf } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Card } from '#app/ui/card.tsx';
import { causeText, partText } from './ledger-words.ts';

/** Parts of the storage limit, which add up to it. */
export function LimitCard({ limit: { limit, parts } }: { limit: ReplyOf<typeof ledgerApi.limit> }) {
  const t = useT();
  const format = useFormat();
  return (
    <Card title={t('ledger.limit')} total={format.bytes(limit)}>
      <ul className="divide-y divide-line">
        {parts.map((part) => (
          <Part key={part.id} part={part} />
        ))}
      </ul>
    </Card>
  );
}

function Part({ part }: { part: LimitItem }) {
  const t = useT();
  const format = useFormat();
  const { bytes, kind, cause, since, until, grace_until: graceUntil, ended, benefits } = part;
  const causes = [
    ...new Set(kind === 'base' ? [] : kind === 'plan' ? benefits.map((one) => one.cause) : [cause]),
  ];
  return (
    <li className="flex gap-4 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{partText(t, part)}</p>
        {causes.length > 0 && (
          <p className="text-13 text-ink-2">{causes.map((one) => causeText(t, one)).join(' · ')}</p>
        )}
        <p className="text-13 text-ink-2 tabular-nums">
          {ended
            ? t.rich('ledger.ended', {
                date: <DateTime at={until} as="date" />,
                grace: <DateTime at={graceUntil} as="date" />,
              })
            : until === ''
              ? t.rich('ledger.since', { date: <DateTime at={since} as="date" /> })
              : t.rich('ledger.sinceUntil', {
                  since: <DateTime at={since} as="date" />,
                  until: <DateTime at={until} as="date" />,
                })}
        </p>
      </div>
      <span className="num shrink-0 font-medium">{format.bytes(bytes)}</span>
    </li>
  );
}
