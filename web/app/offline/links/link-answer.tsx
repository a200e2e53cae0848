import { useMemo } from 'react';
import { useViewer } from '#app/api/viewer.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { FoundLink, placeToSave } from './found-link.tsx';
import { parseLinks } from './parse-links.ts';

/**
 * Result for a link entered on another page than the link checker's. After signing in, the action continues by
 * itself.
 */
export default function LinkAnswer({ text }: { text: string }) {
  const t = useT();
  const path = useLocalePath();
  const viewer = useViewer();
  const { origin } = usePageFrame();
  const [link] = useMemo(() => parseLinks(text, origin).links, [text, origin]);
  if (!link)
    return (
      <p role="alert" className="mt-3 text-13 text-danger">
        {t('error.link_unsupported')}
      </p>
    );
  const place = placeToSave(link);
  const href = viewer ? place : `/drive/login?continue=${encodeURIComponent(path(place))}`;
  return <FoundLink key={link.key} link={link} save={{ href }} />;
}
