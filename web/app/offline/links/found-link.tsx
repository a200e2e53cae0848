import { useEffect } from 'react';
import { ArrowRight, CloudDownload } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckedLink } from './checked-link.tsx';
import type { ParsedLink } from './parse-links.ts';
import { useInspector } from './use-inspector.ts';

/** Address of the drive page that downloads a link. */
export const placeToSave = ({ url }: ParsedLink): string =>
  `/drive/all?action=create_task&url=${encodeURIComponent(url)}`;

/** Action of the button: a link, or a click handler that acts first. */
type Way = { readonly href: string } | { readonly busy: boolean; readonly onClick: () => void };

/** Card of an inspected link with its action: open the share, or `save` to the drive. */
export function FoundLink({ link, save }: { link: ParsedLink; save: Way }) {
  const t = useT();
  const inspector = useInspector();
  const { key } = link;
  useEffect(() => inspector?.look([link]), [inspector, link]);
  const found = inspector?.get(key);
  const isWhole = found?.isWhole;
  useEffect(() => {
    if (isWhole === false) void inspector?.whole(key).catch(() => undefined);
  }, [inspector, key, isWhole]);
  return (
    <CheckedLink
      link={link}
      found={found}
      actions={
        link.kind === 'share' ? (
          <Button
            variant="primary"
            size="l"
            icon={<ArrowRight />}
            href={new URL(link.url).pathname + new URL(link.url).search}
          >
            {t('urlChecker.openShare')}
          </Button>
        ) : (
          <Button variant="primary" size="l" icon={<CloudDownload />} {...save}>
            {t('urlChecker.save')}
          </Button>
        )
      }
    />
  );
}
