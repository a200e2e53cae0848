import { Download } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { contentUrl, kindOf } from '../file-facts.ts';
import { shownName } from '../name/shown-name.ts';

/** File without a preview: its kind, its size, and a download button. */
export function Unavailable({ file, text }: { file: File; text?: string }) {
  const t = useT();
  const format = useFormat();
  const url = contentUrl(file);
  return (
    <div className="m-auto flex max-w-100 flex-col items-center p-6 text-center">
      <FileTile category={kindOf(file)} size={96} />
      <p className="mt-6 text-16 font-semibold [overflow-wrap:anywhere]">
        <bdi>{shownName(file.name)}</bdi>
      </p>
      <p className="mt-1 text-ink-2 tabular-nums">{format.bytes(file.size)}</p>
      <p className="mt-4 text-ink-2">{text ?? t('node.preview.none')}</p>
      {url !== undefined && (
        <Button
          variant="primary"
          size="l"
          icon={<Download aria-hidden="true" />}
          href={url}
          download={file.name}
          className="mt-6"
        >
          {t('node.preview.download')}
        </Button>
      )}
    </div>
  );
}
