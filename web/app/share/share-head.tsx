import type { ReactNode } from 'react';
import { categoryOf, type File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import type { Opening } from './share-data.ts';

/** What it is, whose it is, how much it is, and until when. */
export function ShareHead({ opening, only, actions }: { opening: Opening; only: File | undefined; actions: ReactNode }) {
  const t = useT();
  const format = useFormat();
  const bytes = Number(opening.file_size);
  const left = Number(opening.expiration_left_seconds);
  const facts = [
    t('share.items', { count: Number(opening.file_num) }),
    ...(bytes > 0 ? [format.bytes(bytes)] : []),
    ...(left >= 0 ? [t('share.expires', { when: format.relative(opening.expiration_at) })] : []),
    ...(opening.restore_count_left === '-1' ? [] : [t('share.savesLeft', { count: Number(opening.restore_count_left) })]),
  ];
  return (
    <div className="mb-6 flex items-center gap-5 max-md:items-start max-md:gap-4">
      <FileTile category={only ? categoryOf(only.name, only.mime_type) : 'folder'} size={56} />
      <div className="min-w-0 flex-1">
        <h1 className="text-28 leading-tight font-[650] tracking-[-0.02em] [overflow-wrap:anywhere] max-md:text-20">{opening.title}</h1>
        <p className="num mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
          <span className="inline-flex items-center gap-2">
            <Avatar name={opening.user_info.nickname} picture={opening.user_info.avatar} size={20} />
            {opening.user_info.nickname}
          </span>
          {facts.map((fact) => (
            <span key={fact} className="before:mr-2 before:text-ink-3 before:content-['·']">
              {fact}
            </span>
          ))}
        </p>
      </div>
      <div className="flex shrink-0 gap-2.5 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:border-line max-md:bg-card max-md:px-4 max-md:pt-3 max-md:pb-[max(12px,env(safe-area-inset-bottom))] max-md:[&>*]:h-12! max-md:[&>*:not([data-icon])]:flex-1">{actions}</div>
    </div>
  );
}
