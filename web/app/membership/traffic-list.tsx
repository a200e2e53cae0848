import type { ledgerApi, ReplyOf } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Meter } from '#app/ui/meter.tsx';

export type MonthTraffic = ReplyOf<typeof ledgerApi.traffic>;

/** Share of a limit from which its meter warns; at the end it is red. */
const NEARLY_USED_UP = 0.9;

/** Traffic of the month, by kind, with its limits, and the packs that are part of them. */
export function TrafficList({ traffic: { kinds, packs, reset_time: reset } }: { traffic: MonthTraffic }) {
  const t = useT();
  const format = useFormat();
  return (
    <div className="grid gap-4">
      <ul className="grid gap-3">
        {kinds.map(({ kind, used, limit }) => (
          <li key={kind}>
            <p className="flex justify-between gap-4">
              <span className="text-ink-2">{t(`ledger.traffic.${kind}`)}</span>
              <span className="num shrink-0 text-end">
                {Number(limit) < 0
                  ? format.bytes(used)
                  : t('ledger.traffic.used', { used: format.bytes(used), limit: format.bytes(limit) })}
              </span>
            </p>
            {Number(limit) >= 0 && (
              <LimitMeter name={t(`ledger.traffic.${kind}`)} used={Number(used)} limit={Number(limit)} />
            )}
          </li>
        ))}
      </ul>
      {packs.length > 0 && (
        <ul className="grid gap-2 border-t border-line pt-4">
          {packs.map(({ bytes, until }, at) => (
            // Packs have no name, and may be equal.
            // eslint-disable-next-line react/no-array-index-key
            <li key={at}>
              <p>{t('ledger.traffic.pack', { size: format.bytes(bytes) })}</p>
              {until !== '' && (
                <p className="text-13 text-ink-2 tabular-nums">
                  {t.rich('ledger.traffic.packUntil', { date: <DateTime at={until} as="date" /> })}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="text-13 text-ink-2">
        {t.rich('ledger.traffic.reset', { date: <DateTime at={reset} /> })}
      </p>
    </div>
  );
}

function LimitMeter({ name, used, limit }: { name: string; used: number; limit: number }) {
  const part = limit > 0 ? used / limit : 1;
  const tone = part >= 1 ? 'danger' : part >= NEARLY_USED_UP ? 'warning' : 'blue';
  return <Meter value={part} label={name} tone={tone} className="mt-2" />;
}
