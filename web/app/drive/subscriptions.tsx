import { useState } from 'react';
import { ChevronRight, Plus } from 'lucide-react';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import {
  loadSubscriptions,
  SubscriptionForm,
  Subscriptions,
  useSubscriptions,
} from '#app/subscription/index.ts';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/subscriptions';
import { useDriveKeys } from './key-help.tsx';
import { TopBar } from './top-bar.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  return { first: await loadSubscriptions(context.get(pageServices).call) };
}

export function clientLoader() {
  return { first: undefined };
}

/** Subscriptions: sources that are downloaded automatically for the member. */
export default function SubscriptionsPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const [isAdding, setAdding] = useState(false);
  const list = useSubscriptions(loaderData.first);
  const title = useBusyTitle(t('subscription.title'));
  useDriveKeys();
  const add = (): void => setAdding(true);
  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar
        // The page itself has the button if there are none yet.
        tools={
          list.data?.length !== 0 && (
            <Button variant="primary" icon={<Plus />} onClick={add} className="mr-1 max-md:h-11">
              {t('subscription.add')}
            </Button>
          )
        }
      >
        <nav aria-label={t('drive.places')} className="flex min-w-0 items-center gap-1 max-md:pl-1">
          <LocaleLink
            to="/drive/transfers"
            className="truncate rounded-small text-16 font-semibold text-ink-2 hover:text-ink"
          >
            {t('drive.transfers')}
          </LocaleLink>
          <ChevronRight className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
          <h1 aria-current="page" className="truncate text-16 font-semibold">
            {t('subscription.title')}
          </h1>
        </nav>
      </TopBar>
      <Subscriptions list={list} onAdd={add} />
      {isAdding && <SubscriptionForm onClose={() => setAdding(false)} />}
    </>
  );
}
