import { Fragment } from 'react';
import type { PlanLimits } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { compareLimits } from './limit-rows.ts';

export interface ComparedPlan {
  readonly id: string;
  readonly name: string;
  readonly limits: PlanLimits;
  readonly isCurrent: boolean;
}

/**
 * All limits of the plans side by side. On phones the name of a limit is above its values instead of beside them, so
 * that four plans fit.
 */
export function PlanComparison({ plans }: { plans: readonly ComparedPlan[] }) {
  const t = useT();
  const format = useFormat();
  const rows = compareLimits(
    plans.map(({ limits }) => limits),
    { t, format },
  );
  return (
    <section aria-labelledby="compare" className="min-w-0">
      <h2 id="compare" className="mb-4 text-20 font-[650]">
        {t('shop.compare')}
      </h2>
      <div className="overflow-x-auto rounded-card border border-line bg-card">
        <table className="w-full table-fixed border-collapse">
          <thead>
            <tr className="border-b border-line">
              <td className="w-2/5 p-0 max-sm:hidden" />
              {plans.map(({ id, name, isCurrent }) => (
                <th
                  key={id}
                  scope="col"
                  className={cx(
                    'px-3 py-3 text-start align-bottom font-semibold wrap-anywhere max-sm:pe-0 max-sm:text-13 sm:px-5',
                    isCurrent && 'text-blue-strong',
                  )}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, values }) => (
              <Fragment key={label}>
                <tr className="sm:hidden">
                  <th
                    scope="colgroup"
                    colSpan={plans.length}
                    className="px-3 pt-3 text-start text-13 font-normal text-ink-2"
                  >
                    {label}
                  </th>
                </tr>
                <tr className="border-b border-line last:border-b-0">
                  <th scope="row" className="px-5 py-3 text-start font-normal text-ink-2 max-sm:hidden">
                    {label}
                  </th>
                  {plans.map(({ id, isCurrent }, at) => (
                    <td
                      key={id}
                      className={cx(
                        'px-3 align-top font-medium wrap-anywhere tabular-nums max-sm:pe-0 max-sm:pt-0.5 max-sm:pb-3 sm:px-5 sm:py-3',
                        isCurrent && 'text-blue-strong',
                      )}
                    >
                      {values[at]}
                    </td>
                  ))}
                </tr>
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
