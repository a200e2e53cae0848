import { Download } from 'lucide-react';
import type { MemberOrder } from '@bowerbird/contract';
import { useLocale } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';

/** Links to the PDF files about an order: its invoice and credit note, or else its receipt, in the language of the page. */
export function OrderDocuments({
  order: { id, documents },
  className,
}: {
  order: Pick<MemberOrder, 'id' | 'documents'>;
  className: string;
}) {
  const t = useT();
  const locale = useLocale();
  if (documents.length === 0) return null;
  return (
    <ul className={className}>
      {documents.map(({ kind, number }) => (
        <li key={kind}>
          <Button
            href={`/vip/v1/orders/${encodeURIComponent(id)}/documents/${kind}?language=${locale}`}
            download
            size="s"
            icon={<Download />}
          >
            {kind === 'receipt' ? t('payment.download.receipt') : t(`payment.download.${kind}`, { number })}
          </Button>
        </li>
      ))}
    </ul>
  );
}
