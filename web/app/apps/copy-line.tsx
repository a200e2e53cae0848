import { Copy } from 'lucide-react';
import { copyText } from '#app/browser/copy-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

/** Line of text to type elsewhere, or to copy. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  const t = useT();
  const copy = (): void =>
    void copyText(text).then(
      () => toast.show({ text: t('apps.copied') }),
      () => toast.show({ text: t('apps.notCopied'), tone: 'danger' }),
    );
  return (
    <div className="mt-4 flex items-start gap-2 rounded-control border border-line bg-paper p-2 max-sm:flex-col">
      <code className="min-w-0 flex-1 px-1 py-1.5 font-mono text-13 select-all [overflow-wrap:anywhere]">
        {text}
      </code>
      <Button size="s" icon={<Copy />} onClick={copy} aria-label={`${t('apps.copy')}: ${label}`}>
        {t('apps.copy')}
      </Button>
    </div>
  );
}
