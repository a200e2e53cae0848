import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { ChevronDown, Link2, X } from 'lucide-react';
import { categoryOf } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import type { Found } from './inspector.ts';
import { TorrentTree } from './torrent-tree.tsx';

/** Returns a function that describes the content of a link. */
export function useFoundText(): (found: Found | undefined) => string {
  const t = useT();
  const format = useFormat();
  return (found) => {
    if (!found) return t('offline.found.unchecked');
    if (found.state === 'failed')
      return found.message || (t.find(`error.${found.error}`) ?? t('error.link_unsupported'));
    if (found.state === 'looking') return t('offline.found.looking');
    if (found.state === 'unchecked') return t('offline.found.unchecked');
    const facts = [
      found.size === undefined ? t('offline.found.sizeUnknown') : format.bytes(found.size),
      ...(found.fileCount > 1 ? [t('offline.files', { count: found.fileCount })] : []),
      ...(found.tree === undefined && found.mime !== '' && found.mime !== 'application/octet-stream'
        ? [found.mime]
        : []),
    ];
    return facts.join(' · ');
  };
}

export function FoundTile({ found, name }: { found: Found | undefined; name: string }) {
  if (found?.state === 'known')
    return (
      <FileTile category={found.tree ? 'folder' : categoryOf(found.name || name, found.mime)} size={36} />
    );
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-3">
      {found?.state === 'looking' ? <Spinner /> : <Link2 aria-hidden="true" />}
    </span>
  );
}

/** One link of the dialog: its content, its errors, and the choice of its files. */
export function FoundRow({
  name,
  found,
  failure,
  help,
  onRemove,
  onUnfold,
  startsUnfolded,
}: {
  name: string;
  found: Found | undefined;
  /** Reason why it could not be started. */
  failure: string | undefined;
  /** Suggested remedy. */
  help?: ReactNode;
  onRemove: () => void;
  /** Called when the tree is opened: all of its files are needed. */
  onUnfold: () => void;
  startsUnfolded: boolean;
}) {
  const t = useT();
  const describe = useFoundText();
  const [unfolded, setUnfolded] = useState<boolean>();
  const tree = found?.tree;
  const isUnfolded = tree !== undefined && (unfolded ?? startsUnfolded);
  const bringAll = useEffectEvent(onUnfold);
  useEffect(() => {
    if (isUnfolded) bringAll();
  }, [isUnfolded]);
  const title = shownName(found?.name || name);
  const problem = failure ?? (found?.state === 'failed' ? describe(found) : undefined);
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="flex items-center gap-x-3 py-2.5 pr-1.5 pl-3 max-md:flex-wrap">
        <FoundTile found={found} name={name} />
        <div className="min-w-0 flex-1 max-md:basis-[calc(100%-112px)]">
          <p
            className="truncate font-medium max-md:line-clamp-2 max-md:whitespace-normal max-md:[overflow-wrap:anywhere]"
            title={title}
          >
            {title}
          </p>
          <p
            className={cx(
              'num flex flex-wrap items-center gap-x-2 text-13',
              problem ? 'text-danger' : 'text-ink-3',
            )}
          >
            {problem ?? describe(found)}
            {found?.isOwned && !problem && <Badge tone="success">{t('offline.owned')}</Badge>}
            {help}
          </p>
        </div>
        {tree && (
          <Button
            size="s"
            variant="plain"
            aria-expanded={isUnfolded}
            icon={<ChevronDown className={cx('transition-transform', isUnfolded && 'rotate-180')} />}
            onClick={() => setUnfolded(!isUnfolded)}
            className="max-md:order-last max-md:mr-auto max-md:ml-9 max-md:h-11"
          >
            {t('offline.found.chooseFiles')}
          </Button>
        )}
        <IconButton label={t('offline.found.remove', { name: title })} icon={<X />} onClick={onRemove} />
      </div>
      {isUnfolded && (
        <div className="px-3 pb-3">
          <TorrentTree name={title} tree={tree} isWhole={found!.isWhole} />
        </div>
      )}
    </li>
  );
}
