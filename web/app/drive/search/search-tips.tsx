import { useT, type MessageKey } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';

/** [examples, explanation]; the words of filters are the same in all languages. */
const TIPS: readonly (readonly [examples: readonly string[], what: MessageKey])[] = [
  [['beach 2026'], 'search.tips.words'],
  [['"my photos"'], 'search.tips.phrase'],
  [['type:video', 'type:image,pdf'], 'search.tips.type'],
  [['ext:docx'], 'search.tips.ext'],
  [['>1gb', '<500kb', 'size:1mb..5mb'], 'search.tips.size'],
  [['modified:7d', 'after:2026-01-31', 'before:2026'], 'search.tips.modified'],
  [['in:Photos', 'in:"My photos"'], 'search.tips.in'],
  [['tag:work', 'tag:"to do"'], 'search.tips.tag'],
  [['is:starred', 'is:shared'], 'search.tips.is'],
];

/** Explains what can be typed into the search field. */
export function SearchTips({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog isOpen onClose={onClose} title={t('search.tips')} size="m" isText>
      <p className="mb-4 text-ink-2">{t('search.tips.lead')}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-5 gap-y-3 max-sm:grid-cols-1 max-sm:gap-y-1">
        {TIPS.map(([examples, what]) => (
          <div key={what} className="contents">
            <dt className="flex flex-wrap gap-1.5 max-sm:mt-2">
              {examples.map((example) => (
                <code
                  key={example}
                  translate="no"
                  className="rounded-small border border-line bg-sunken px-1.5 py-0.5 font-mono text-12 text-ink"
                >
                  {example}
                </code>
              ))}
            </dt>
            <dd className="text-13 text-ink-2">{t(what)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
