import { useMemo, useState } from 'react';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { LinkBox } from '../links/link-box.tsx';
import { parseLinks } from '../links/parse-links.ts';
import { useOffline } from '../offline-frame.ts';

/** Box for links, shown if there are no downloads. Pasted text continues in the dialog. */
export function PasteBox() {
  const t = useT();
  const { addLinks } = useOffline();
  const { origin } = usePageFrame();
  const [text, setText] = useState('');
  const parsed = useMemo(() => parseLinks(text, origin), [text, origin]);
  const goOn = (links: string): void => {
    addLinks({ text: links });
    setText('');
  };
  return (
    <div className="mx-auto max-w-150 py-10 max-md:py-4">
      <h2 className="text-20 font-semibold">{t('transfers.empty.title')}</h2>
      <p className="mt-1.5 mb-5 text-ink-2">{t('transfers.empty.text')}</p>
      <LinkBox
        text={text}
        parsed={parsed}
        rows={6}
        onText={(changed, how) => {
          const isPasted = how === 'brought' || changed.length > text.length + 5;
          if (isPasted && parseLinks(changed, origin).links.length > 0) goOn(changed);
          else setText(changed);
        }}
        onTorrents={(torrents) => addLinks({ torrents, text })}
        onSubmit={() => goOn(text)}
        end={
          parsed.links.length > 0 && (
            <Button variant="primary" size="s" className="max-md:h-11" onClick={() => goOn(text)}>
              {t('transfers.empty.goOn')}
            </Button>
          )
        }
      />
    </div>
  );
}
