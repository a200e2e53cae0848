import { useMatches } from 'react-router';
import { pageServices } from '#app/api/page-services.ts';
import { runningActivities } from '#app/content/activities.server.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { Collections } from './collections.ts';
import { layoutNamed } from './layouts.ts';
import type { Route } from './+types/layout';

/**
 * Returns which collections of the library have texts, and the current activities: pages link only to those.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { contents } = services.library;
  return {
    hasHelp: contents.help.length > 0,
    hasFaq: contents.faq.length > 0,
    hasBlog: contents.blog.length > 0,
    policies: contents.policy.map(({ name }) => name),
    pages: contents.page,
    activities: await runningActivities(services),
  };
}

// Visitors who come from a share or a drive haven't loaded the public pages' messages.
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [collections] = await Promise.all([serverLoader(), loadMessages('site')]);
  return collections;
}

export default function Layout({ loaderData }: Route.ComponentProps) {
  const handle = useMatches().at(-1)?.handle as { layout?: string } | undefined;
  const Frame = layoutNamed(handle?.layout);
  return (
    <Collections value={loaderData}>
      <Frame />
    </Collections>
  );
}
