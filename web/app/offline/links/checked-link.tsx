import type { ReactNode } from 'react';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Badge } from '#app/ui/badge.tsx';
import { cx } from '#app/ui/class-names.ts';
import { FoundTile, useFoundText } from './found-row.tsx';
import type { Found } from './inspector.ts';
import type { ParsedLink } from './parse-links.ts';
import { TorrentTree } from './torrent-tree.tsx';

/** Card of an inspected link. */
export function CheckedLink({
  link,
  found,
  actions,
}: {
  link: ParsedLink;
  found: Found | undefined;
  actions: ReactNode;
}) {
  const t = useT();
  const describe = useFoundText();
  const isFailed = found?.state === 'failed';
  const name = shownName(found?.name || link.name);
  return (
    <div className="mt-6 rounded-dialog border border-line bg-card p-5 max-md:p-4">
      <div className="flex items-start gap-4">
        <FoundTile found={found ?? { ...LOOKING, name: link.name, url: link.url }} name={link.name} />
        <div className="min-w-0 flex-1" role="status">
          <p className="text-16 font-semibold [overflow-wrap:anywhere]">{name}</p>
          <p
            className={cx(
              'num mt-0.5 flex flex-wrap items-center gap-x-2',
              isFailed ? 'text-danger' : 'text-ink-2',
            )}
          >
            {found ? describe(found) : t('offline.found.looking')}
            {found?.isOwned && <Badge tone="success">{t('offline.owned')}</Badge>}
          </p>
        </div>
        <Badge className="max-md:hidden">{t(`urlChecker.kind.${link.kind}`)}</Badge>
      </div>
      {!isFailed && <div className="mt-5 grid md:justify-start">{actions}</div>}
      {found?.tree && (
        <div className="mt-5">
          <TorrentTree name={name} tree={found.tree} isWhole={found.isWhole} isReadOnly />
        </div>
      )}
    </div>
  );
}

const LOOKING: Found = {
  state: 'looking',
  name: '',
  size: undefined,
  fileCount: 1,
  mime: '',
  isOwned: false,
  error: '',
  message: '',
  url: '',
  tree: undefined,
  isWhole: true,
};
