import { useState } from 'react';
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useLocation } from 'react-router';
import type { Tag } from '@bowerbird/contract';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { useFolderDrop } from '#app/node/index.ts';
import { cx } from '#app/ui/class-names.ts';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { nextColor, tagHref, useTags } from './tag-data.ts';
import { TagDot } from './tag-dot.tsx';
import { TagForm } from './tag-form.tsx';
import { useTagging, type Tagging } from './use-tagging.ts';

type Asked = { readonly what: 'new' } | { readonly what: 'edit' | 'delete'; readonly tag: Tag };

/** The member's tags in the sidebar: each leads to its items, and takes items that are dropped onto it. */
export function TagPlaces() {
  const t = useT();
  const tags = useTags();
  const tagging = useTagging();
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  return (
    <section aria-labelledby="tag-places" className="mt-4">
      <div className="flex h-8 items-center justify-between ps-3 pointer-coarse:h-11">
        <h2 id="tag-places" className="text-12 font-semibold text-ink-3">
          {t('drive.tag.tags')}
        </h2>
        <IconButton
          size="s"
          label={t('drive.tag.new')}
          icon={<Plus className="size-4!" />}
          onClick={() => setAsked({ what: 'new' })}
        />
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {tags.map((tag) => (
          <TagPlace key={tag.id} tag={tag} tagging={tagging} onAsk={(what) => setAsked({ what, tag })} />
        ))}
      </ul>
      {asked?.what === 'new' && (
        <TagForm
          title={t('drive.tag.new')}
          initial={{ name: '', color: nextColor(tags) }}
          onClose={close}
          onSubmit={async ({ name, color }) => {
            const made = await tagging.create(name, color);
            return 'error' in made ? made.error : undefined;
          }}
        />
      )}
      {asked?.what === 'edit' && (
        <TagForm
          title={t('drive.tag.edit')}
          initial={asked.tag}
          onClose={close}
          onSubmit={({ name, color }) =>
            tagging.change(asked.tag.id, {
              ...(name === asked.tag.name ? {} : { name }),
              ...(color === asked.tag.color ? {} : { color }),
            })
          }
        />
      )}
      <ConfirmDialog
        isOpen={asked?.what === 'delete'}
        onClose={close}
        isDanger
        title={
          asked?.what === 'delete' ? t('drive.tag.delete.title', { name: shownName(asked.tag.name) }) : ''
        }
        text={t('drive.tag.delete.text')}
        confirmLabel={t('drive.tag.delete')}
        onConfirm={() => {
          if (asked?.what === 'delete') void tagging.remove(asked.tag.id);
          close();
        }}
      />
    </section>
  );
}

function TagPlace({
  tag,
  tagging,
  onAsk,
}: {
  tag: Tag;
  tagging: Tagging;
  onAsk: (what: 'edit' | 'delete') => void;
}) {
  const t = useT();
  const path = useLocalePath();
  const { pathname, search } = useLocation();
  const href = tagHref(tag);
  const isActive = `${pathname}${search}` === path(href);
  const { isOver, props } = useFolderDrop({
    folderId: `tag:${tag.id}`,
    onDrop: (_, dragged) =>
      void dragged.ids().then((ids) => tagging.mark(ids, { add: [tag.id], remove: [] })),
  });
  return (
    <li
      {...props}
      className={cx(
        'group/tag flex items-center rounded-control pe-1',
        isActive ? 'bg-blue-wash text-blue-strong' : 'text-ink-2 hover:bg-hover hover:text-ink',
        isOver && 'outline-2 -outline-offset-2 outline-blue',
      )}
    >
      <LocaleLink
        to={href}
        draggable={false}
        aria-current={isActive ? 'page' : undefined}
        className="flex h-9 min-w-0 flex-1 items-center gap-3 rounded-control px-3 font-medium max-md:h-12"
      >
        <span className="grid w-4.5 shrink-0 place-items-center">
          <TagDot color={tag.color} />
        </span>
        <bdi className="truncate" title={shownName(tag.name)}>
          {shownName(tag.name)}
        </bdi>
      </LocaleLink>
      <MenuTrigger>
        <IconButton
          size="s"
          label={t('drive.tag.more', { name: shownName(tag.name) })}
          icon={<Ellipsis className="size-4!" />}
          className="pointer-fine:opacity-0 pointer-fine:group-hover/tag:opacity-100 pointer-fine:group-focus-within/tag:opacity-100"
        />
        <Menu>
          <MenuItem icon={<Pencil />} onAction={() => onAsk('edit')}>
            {t('drive.tag.edit')}
          </MenuItem>
          <MenuItem icon={<Trash2 />} isDanger onAction={() => onAsk('delete')}>
            {t('drive.tag.delete')}
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </li>
  );
}
