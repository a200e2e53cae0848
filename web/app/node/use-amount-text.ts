import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import type { Amount } from './entries/selection.ts';

/**
 * Returns a function that describes the size of the selection: the bytes of files, and the number of folders in
 * addition.
 */
export function useAmountText(): (amount: Amount) => string {
  const t = useT();
  const format = useFormat();
  return ({ bytes, folders }) => {
    if (folders === 0) return format.bytes(bytes);
    const more = t('node.folders', { count: folders });
    return bytes === 0 ? more : t('node.amount', { size: format.bytes(bytes), folders: more });
  };
}
