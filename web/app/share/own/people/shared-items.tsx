import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Bell, BellOff, EllipsisVertical, LogOut } from 'lucide-react';
import { categoryOf, peopleApi, type SharedItem } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { loadShared, SHARED, useAccessChange, type SharedPage } from './people-query.ts';

/** Items that others share with the member: invitations to decide on, and what was accepted. */
export function SharedItems({
  first,
  hrefOf,
}: {
  /** First page, if the server rendered it. */
  readonly first: SharedPage | undefined;
  /** Address at which an item is opened. */
  readonly hrefOf: (item: SharedItem) => string;
}) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const [leaving, setLeaving] = useState<SharedItem>();
  const shared = useInfiniteQuery({
    queryKey: SHARED,
    queryFn: ({ pageParam }) => loadShared(call, pageParam),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
    ...(first ? { initialData: { pages: [first], pageParams: [''] } } : {}),
  });
  const end = useAccessChange(
    ({ id }: SharedItem) => call(peopleApi.remove, { params: { id } }, { idempotencyKey: randomHex() }),
    ({ pending, name }) =>
      void toast.show({
        text: pending ? t('people.declined') : t('people.left', { item: shownName(name) }),
      }),
  );
  const rows = shared.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-24 max-md:px-4">
        {shared.isError && (
          <EmptyState
            title={t('drive.failed.title')}
            text={text(shared.error)}
            actions={<Button onClick={() => void shared.refetch()}>{t('ui.retry')}</Button>}
          />
        )}
        {shared.isSuccess && rows.length === 0 && (
          <EmptyState title={t('people.sharedEmpty.title')} text={t('people.sharedEmpty.text')} />
        )}
        {rows.length > 0 && (
          <ul className="overflow-hidden rounded-card border border-line bg-card">
            {rows.map((item) => (
              <Row
                key={item.id}
                item={item}
                href={hrefOf(item)}
                onEnd={() => (item.pending ? end.mutate(item) : setLeaving(item))}
              />
            ))}
          </ul>
        )}
        {shared.hasNextPage && (
          <div className="grid justify-center py-6">
            <Button busy={shared.isFetchingNextPage} onClick={() => void shared.fetchNextPage()}>
              {t('drive.shares.more')}
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        isDanger
        title={t('people.leaveTitle', { item: shownName(leaving?.name ?? '') })}
        text={t('people.leaveText', { name: leaving?.owner.name ?? '' })}
        confirmLabel={t('people.leave')}
        onConfirm={() => {
          if (leaving) end.mutate(leaving);
          setLeaving(undefined);
        }}
      />
    </>
  );
}

function Row({ item, href, onEnd }: { item: SharedItem; href: string; onEnd: () => void }) {
  const t = useT();
  const call = useCall();
  const name = shownName(item.name);
  const accept = useAccessChange(
    () => call(peopleApi.accept, { params: { id: item.id } }, { idempotencyKey: randomHex() }),
    () => void toast.show({ text: t('people.accepted', { item: name }) }),
  );
  const mute = useAccessChange((muted: boolean) =>
    call(peopleApi.mute, { params: { id: item.id }, body: { muted } }, { idempotencyKey: randomHex() }),
  );
  const thumbnail = item.file?.thumbnail_link;
  return (
    <li className="flex items-center gap-4 border-t border-line px-4 py-3 first:border-t-0 max-md:flex-wrap">
      <FileTile
        category={item.kind === 'drive#folder' ? 'folder' : categoryOf(item.name, item.file?.mime_type)}
        size={40}
        {...(thumbnail ? { thumbnail } : {})}
      />
      <div className="min-w-0 flex-1">
        {item.file ? (
          <LocaleLink to={href} className="block truncate font-medium hover:underline">
            <bdi>{name}</bdi>
          </LocaleLink>
        ) : (
          <bdi className="block truncate font-medium">{name}</bdi>
        )}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-ink-2">
          <bdi>{item.owner.name}</bdi>
          <span>{t(`people.role.${item.role}`)}</span>
          {item.muted && <Badge>{t('people.muted')}</Badge>}
          {!item.pending && !item.file && <Badge tone="warning">{t('people.suspended')}</Badge>}
        </p>
      </div>
      {item.pending ? (
        <span className="flex gap-2 max-md:basis-full max-md:[&>*]:flex-1">
          <Button onClick={onEnd}>{t('people.decline')}</Button>
          <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate(undefined)}>
            {t('people.accept')}
          </Button>
        </span>
      ) : (
        <MenuTrigger>
          <IconButton label={t('drive.shares.menu', { title: name })} icon={<EllipsisVertical />} />
          <Menu>
            <MenuItem icon={item.muted ? <Bell /> : <BellOff />} onAction={() => mute.mutate(!item.muted)}>
              {item.muted ? t('people.unmute') : t('people.mute')}
            </MenuItem>
            <MenuItem icon={<LogOut />} isDanger onAction={onEnd}>
              {t('people.leave')}
            </MenuItem>
          </Menu>
        </MenuTrigger>
      )}
    </li>
  );
}
