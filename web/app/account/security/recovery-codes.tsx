import { Copy, Download, Printer } from 'lucide-react';
import { copyText } from '#app/browser/copy-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

const FILE_NAME = 'bowerbird-recovery-codes.txt';

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = FILE_NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Prints only the codes, from a hidden frame. */
function print(text: string): void {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0';
  frame.ariaHidden = 'true';
  document.body.append(frame);
  const page = frame.contentDocument!;
  const sheet = page.createElement('pre');
  sheet.textContent = text;
  page.body.append(sheet);
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow!.print();
}

/** Recovery codes for a lost authenticator app: shown once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useT();
  const text = `${t('security.codes.title')}\n\n${codes.join('\n')}\n`;
  const copy = (): void =>
    void copyText(codes.join('\n')).then(
      () => toast.show({ text: t('security.copied') }),
      () => toast.show({ text: t('security.notCopied'), tone: 'danger' }),
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isDismissable={false}
      title={t('security.codes.title')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('security.codes.kept')}
        </Button>
      }
    >
      <p className="text-ink-2">{t('security.codes.text')}</p>
      <ul
        aria-label={t('security.codes.title')}
        className="my-4 grid grid-cols-2 gap-x-4 gap-y-2 rounded-card border border-line bg-sunken p-4 text-center font-mono text-14"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Download />} onClick={() => download(text)} data-initial-focus>
          {t('security.codes.download')}
        </Button>
        <Button icon={<Printer />} onClick={() => print(text)}>
          {t('security.codes.print')}
        </Button>
        <Button icon={<Copy />} onClick={copy}>
          {t('security.copy')}
        </Button>
      </div>
    </Dialog>
  );
}
