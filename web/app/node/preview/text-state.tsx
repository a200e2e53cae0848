import type { File } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Spinner } from '#app/ui/spinner.tsx';
import { Unavailable } from './unavailable.tsx';
import type { TextOfFile } from './use-text.ts';

/** Shown while a text is loading, or after it failed to load. */
export function TextState({ file, text }: { file: File; text: TextOfFile }) {
  const t = useT();
  if (text.state === 'failed') return <Unavailable file={file} text={t('node.preview.offline')} />;
  return <Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />;
}
