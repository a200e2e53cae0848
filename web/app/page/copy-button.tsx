import { useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { copyText } from '#app/browser/copy-text.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

const CONFIRMED_MS = 2000;

/** Button that copies a text and confirms it in its label. */
export function CopyButton({
  text,
  label,
  copiedLabel,
  failure,
}: {
  text: string;
  label: string;
  copiedLabel: string;
  /** Message if the browser refuses to copy. */
  failure: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
  };
  return (
    <Button
      variant="primary"
      data-initial-focus
      icon={isCopied ? <Check /> : <Copy />}
      onClick={() => copy().catch(() => toast.show({ text: failure, tone: 'danger' }))}
    >
      {isCopied ? copiedLabel : label}
    </Button>
  );
}
