import { Tag as TagIcon } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { tagHref, useTagsById } from './tag-data.ts';
import { TagDot } from './tag-dot.tsx';

/** Tags of an item in its details, and the button that changes them. */
export function ItemTags({ file, onEdit }: { file: File; onEdit: () => void }) {
  const t = useT();
  const byId = useTagsById();
  const tags = (file.tag_ids ?? []).flatMap((id) => byId.get(id) ?? []);
  return (
    <div className="grid justify-items-start gap-2">
      {tags.length > 0 && (
        <ul aria-label={t('drive.tag.tags')} className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag.id} className="max-w-full">
              <LocaleLink
                to={tagHref(tag)}
                className="flex min-h-7 items-center gap-2 rounded-full border border-line px-2.5 text-13 text-ink-2 hover:border-line-strong hover:text-ink pointer-coarse:min-h-11"
              >
                <TagDot color={tag.color} />
                <bdi className="truncate">{shownName(tag.name)}</bdi>
              </LocaleLink>
            </li>
          ))}
        </ul>
      )}
      <Button size="s" icon={<TagIcon />} onClick={onEdit}>
        {t('drive.tag.tags')}
      </Button>
    </div>
  );
}
