import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import type { Amount } from './entries/selection.ts';

/** Says how much is selected: the bytes of files, and how many folders come on top. */
export function useAmountText(): (amount: Amount) => string {
  const t = useT();
  const format = useFormat();
  return ({ bytes, folders }) => {
    if (folders === 0) return format.bytes(bytes);
    const more = t('node.folders', { count: folders });
    return bytes === 0 ? more : t('node.amount', { size: format.bytes(bytes), folders: more });
  };
}
