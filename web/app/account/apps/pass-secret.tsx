import { Copy } from 'lucide-react';
import type { PassKind } from '@bowerbird/contract';
import { copyText } from '#app/browser/copy-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

/** Secret of the pass that was just created: shown once. */
export function PassSecret({
  kind,
  secret,
  onClose,
}: {
  kind: PassKind;
  secret: string;
  onClose: () => void;
}) {
  const t = useT();
  const copy = (): void =>
    void copyText(secret).then(
      () => toast.show({ text: t('security.copied') }),
      () => toast.show({ text: t('security.notCopied'), tone: 'danger' }),
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isDismissable={false}
      title={t(`security.pass.${kind}Made`)}
      footer={
        <>
          <Button icon={<Copy />} onClick={copy} data-initial-focus>
            {t('security.copy')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('security.pass.kept')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        {t('security.pass.onceText')}
        {kind === 'app_password' && ` ${t('security.pass.nameText')}`}
      </p>
      <code className="mt-4 block rounded-card border border-line bg-sunken px-4 py-3 font-mono text-14 select-all [overflow-wrap:anywhere]">
        {secret}
      </code>
    </Dialog>
  );
}
