import { ApiFailure, passes, SUBSCRIPTIONS, type Filters } from '@bowerbird/contract';
import type { UnattendedFetches } from '../offline/index.ts';
import { feedNamedBy } from './feed-discovery.ts';
import type { FoundItem } from './feed-item.ts';
import { parseFeed, type Feed } from './feed.ts';

export interface ReadFeed {
  /** The feed's own address; differs from the given one if that is a page that links to the feed. */
  readonly url: string;
  /** Undefined if it has not changed. */
  readonly feed: Feed | undefined;
  readonly validator: string | undefined;
}

/** Reads feeds through the fetcher; rejects with an ApiFailure. */
export interface Readings {
  read(url: string, validator?: string): Promise<ReadFeed>;
  preview(
    url: string,
    filters: Filters,
  ): Promise<{ url: string; title: string; items: readonly (FoundItem & { readonly taken: boolean })[] }>;
}

const TIMEOUT_MS = 30_000;

export function createReadings({
  unattendedFetches,
}: {
  unattendedFetches: Pick<UnattendedFetches, 'read'>;
}): Readings {
  const ask = (url: string, validator?: string) =>
    unattendedFetches.read({
      url,
      maxBytes: SUBSCRIPTIONS.feedBytes,
      timeoutMs: TIMEOUT_MS,
      ...(validator === undefined ? {} : { validator }),
    });

  async function readOnce(url: string): Promise<ReadFeed | undefined> {
    const { text, url: from, validator } = await ask(url);
    const feed = await parseFeed(text, from);
    return feed && { url, feed, validator };
  }

  const readings: Readings = {
    async read(url, validator) {
      const { text, url: from, notModified, ...read } = await ask(url, validator);
      if (notModified) return { url, feed: undefined, validator };
      const feed = await parseFeed(text, from);
      if (feed) return { url, feed, validator: read.validator };
      const named = feedNamedBy(text, from);
      const found = named === undefined ? undefined : await readOnce(named);
      if (!found) throw new ApiFailure('feed_invalid');
      return found;
    },

    async preview(url, filters) {
      const { feed, ...read } = await readings.read(url);
      return {
        url: read.url,
        title: feed!.title,
        items: feed!.items.map((item) => ({
          ...item,
          taken: item.url !== undefined && passes(filters, item),
        })),
      };
    },
  };
  return readings;
}
