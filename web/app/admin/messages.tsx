import { useState } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { adminApi, type ReceivedMessage } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { SettingsTitle } from '#app/page/settings.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import type { Route } from './+types/messages';

const KINDS = ['report', 'other'] as const;
type Kind = (typeof KINDS)[number];
const kindNamed = (name: string | null): Kind => KINDS.find((kind) => kind === name) ?? 'report';

export async function loader({ context, url }: Route.LoaderArgs) {
  const kind = kindNamed(url.searchParams.get('kind'));
  return { kind, page: await context.get(pageServices).call(adminApi.messages, { query: { kind } }) };
}

/** Messages to the operator that nobody has handled yet. */
export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const kind = kindNamed(query.get('kind'));
  const list = useInfiniteQuery({
    queryKey: ['admin', 'messages', kind],
    queryFn: ({ pageParam }) => call(adminApi.messages, { query: { kind, page_token: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
    ...(loaderData.kind === kind ? { initialData: { pages: [loaderData.page], pageParams: [''] } } : {}),
  });
  const messages = list.data?.pages.flatMap((page) => page.messages) ?? [];
  return (
    <>
      <PageTitle title={t('admin.messages')} noIndex />
      <SettingsTitle text={t('admin.messages.text')}>{t('admin.messages')}</SettingsTitle>
      <Tabs
        label={t('admin.messages')}
        selected={kind}
        onSelect={(next) =>
          void navigate({ search: next === 'report' ? '' : `?kind=${next}` }, { replace: true })
        }
        tabs={KINDS.map((id) => ({ id, label: t(`admin.messages.${id}`) }))}
      >
        {messages.length === 0 && !list.isPending ? (
          <EmptyState title={t('admin.messages.none')} />
        ) : (
          <ul className="mt-4 grid gap-3">
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('admin.more')}
          </Button>
        )}
      </Tabs>
    </>
  );
}

function Message({ message }: { message: ReceivedMessage }) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [isBusy, setBusy] = useState(false);
  const handle = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(adminApi.handleMessage, { params: { id: message.id } });
      toast.show({ text: t('admin.said.handled'), tone: 'success' });
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    }
    await client.invalidateQueries({ queryKey: ['admin', 'messages'] });
    setBusy(false);
  };
  return (
    <li className="rounded-card border border-line bg-card px-5 py-4 max-md:px-4">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-13 text-ink-2">
        <Badge tone={message.topic === 'abuse' || message.topic === 'copyright' ? 'danger' : 'blue'}>
          {t(`admin.topic.${message.topic}`)}
        </Badge>
        <span className="[overflow-wrap:anywhere]">{message.email}</span>
        <span className="num text-ink-3">
          <DateTime at={message.created_at} />
        </span>
      </p>
      {message.link !== '' && (
        <a
          href={message.link}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="mt-2 block rounded-small text-13 text-blue-strong underline underline-offset-3 [overflow-wrap:anywhere]"
        >
          {message.link}
        </a>
      )}
      <p className="mt-2 [overflow-wrap:anywhere] whitespace-pre-wrap">{message.message}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="s" href={`mailto:${encodeURIComponent(message.email)}`}>
          {t('admin.reply')}
        </Button>
        <Button size="s" busy={isBusy} onClick={() => void handle()}>
          {t('admin.handled')}
        </Button>
      </div>
    </li>
  );
}
