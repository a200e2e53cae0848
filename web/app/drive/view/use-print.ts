import { toast } from '#app/ui/toast/toast.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Entries } from '#app/node/index.ts';

/** More entries than that are not printed. */
export const MOST_PRINTED = 5000;

/** Returns a function that prints a list: it loads all entries first. */
export function usePrint(entries: Entries): () => void {
  const t = useT();
  return () => {
    const all = { from: 0, to: Math.min(entries.total ?? entries.count, MOST_PRINTED) };
    entries.between(all).then(
      // The loaded entries are rendered first.
      () => setTimeout(() => window.print(), 100),
      () => toast.show({ text: t('node.failed') }),
    );
  };
}
