import type { ReactNode } from 'react';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { kindOf } from '#app/node/file-facts.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import type { OpenShare } from './share-data.ts';

/** Name, owner, size and expiration of a share. */
export function ShareHead({
  share,
  actions,
  menu,
}: {
  share: OpenShare;
  actions: ReactNode;
  menu: ReactNode;
}) {
  const { opening, only } = share;
  return (
    <header className="flex items-center gap-5 max-md:items-start max-md:gap-3.5">
      <FileTile
        category={only ? kindOf(only) : 'folder'}
        size={56}
        className="max-md:size-12! max-md:rounded-card!"
      />
      <div className="min-w-0 flex-1">
        <h1 className="text-28 leading-tight font-[650] tracking-[-0.02em] [overflow-wrap:anywhere] max-md:text-20">
          {opening.title}
        </h1>
        <Facts share={share} />
      </div>
      <div className="flex shrink-0 gap-2.5 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:border-line max-md:bg-card max-md:px-4 max-md:pt-3 max-md:pb-[max(12px,env(safe-area-inset-bottom))] max-md:group-has-[[role=toolbar]]/share:hidden">
        {actions}
      </div>
      <div className="-ms-2.5 shrink-0 max-md:-me-2 max-md:ms-0 noscript:hidden">{menu}</div>
    </header>
  );
}

/**
 * Facts separated by dots, which appear only between facts on the same line: at the start of a line they are
 * clipped.
 */
function Facts({ share: { opening, count, bytes, only } }: { share: OpenShare }) {
  const t = useT();
  const format = useFormat();
  const owner = opening.user_info;
  const facts = [
    ...(count === undefined || only ? [] : [t('share.items', { count })]),
    ...(bytes === undefined ? [] : [format.bytes(bytes)]),
    ...(Number(opening.expiration_left_seconds) < 0
      ? []
      : [t.rich('share.expires', { when: <DateTime at={opening.expiration_at} as="relative" /> })]),
    ...(opening.restore_count_left === '-1'
      ? []
      : [t('share.savesLeft', { count: Number(opening.restore_count_left) })]),
  ];
  return (
    <div className="mt-1.5 overflow-x-clip text-ink-2">
      <ul className="num -ms-5 flex flex-wrap gap-y-0.5">
        <li className="flex items-center gap-2 ps-5">
          <Avatar name={owner.nickname} picture={owner.avatar} size={20} />
          {owner.nickname}
        </li>
        {facts.map((fact, at) => (
          <li
            // eslint-disable-next-line react/no-array-index-key
            key={at}
            className="relative ps-5 before:absolute before:start-2 before:text-ink-3 before:content-['·']"
          >
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}
