import { useState } from 'react';
import { useT } from '#app/i18n/t.ts';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { shownName } from '../name/shown-name.ts';
import { Lines } from './code/lines.tsx';
import { EditButton, PrintButton } from './bar-buttons.tsx';
import Markdown from './markdown.tsx';
import { TextState } from './text-state.tsx';
import { useText } from './use-text.ts';
import type { ViewerProps } from './viewer-props.ts';

/** Markdown, rendered or as source. */
export default function MarkdownViewer({ file, onEdit }: ViewerProps) {
  const t = useT();
  const [shows, setShows] = useState<'rendered' | 'source'>('rendered');
  const text = useText(file);
  if (text.state !== 'ready') return <TextState file={file} text={text} />;
  return (
    <div className="flex size-full flex-col">
      <div className="flex min-h-12 shrink-0 items-center justify-center gap-3 border-b border-line px-4 py-1.5 print:hidden">
        <Segmented
          label={shownName(file.name)}
          value={shows}
          onChange={setShows}
          options={[
            { value: 'rendered', label: t('node.text.rendered') },
            { value: 'source', label: t('node.text.source') },
          ]}
        />
        <PrintButton />
        <EditButton onEdit={onEdit} />
      </div>
      {shows === 'source' ? (
        <Lines content={text.content} wraps name={file.name} />
      ) : (
        <div
          data-viewer-focus
          data-printed
          // Scrollable, so it must be reachable by keyboard.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="min-h-0 flex-1 overflow-auto px-6 py-8 outline-none"
        >
          <Markdown source={text.content} className="mx-auto max-w-180" />
        </div>
      )}
    </div>
  );
}
