import type { ReactNode } from 'react';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { cx } from '#app/ui/class-names.ts';

/** Instructions for one app: its steps, in order. */
export interface Guide {
  readonly id: string;
  readonly title: MessageKey;
  readonly steps: readonly MessageKey[];
}

/** Column classes by number of guides, chosen so that no row contains a single guide. */
const COLUMNS: readonly string[] = [
  '',
  '',
  'md:grid-cols-2',
  'sm:grid-cols-2 lg:grid-cols-3',
  'sm:grid-cols-2 xl:grid-cols-4',
];

/** Guides side by side; the one for the visitor's own app is first and labeled as such. */
export function Guides({
  guides,
  own,
  children,
}: {
  guides: readonly Guide[];
  own?: string;
  children?: (guide: Guide) => ReactNode;
}) {
  const ordered = guides.toSorted((one, other) => Number(other.id === own) - Number(one.id === own));
  return (
    <div className={cx('mt-6 grid gap-4', COLUMNS[guides.length])}>
      {ordered.map((guide) => (
        <GuideCard key={guide.id} guide={guide} isOwn={guide.id === own}>
          {children?.(guide)}
        </GuideCard>
      ))}
    </div>
  );
}

function GuideCard({ guide, isOwn, children }: { guide: Guide; isOwn: boolean; children: ReactNode }) {
  const t = useT();
  const { origin } = usePageFrame();
  const host = new URL(origin).host;
  return (
    <section
      id={guide.id}
      aria-labelledby={`guide-${guide.id}`}
      className={cx('scroll-mt-6 rounded-card border bg-card p-5', isOwn ? 'border-blue' : 'border-line')}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 id={`guide-${guide.id}`} className="text-16 font-semibold">
          {t(guide.title)}
        </h3>
        {isOwn && <Badge tone="blue">{t('apps.yours')}</Badge>}
      </div>
      <ol className="mt-4 grid gap-3">
        {guide.steps.map((step, at) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-12 font-semibold text-ink-2"
            >
              {at + 1}
            </span>
            <span className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">
              {t.find(step, { site: host, dav: `${origin}/dav/` })}
            </span>
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
