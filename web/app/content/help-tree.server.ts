import type { PageServices } from '@bowerbird/contract';
import { cardAt } from './render.server.ts';

export interface HelpArticle {
  /** Path of its page, without a locale. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

export interface HelpCategory {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly articles: readonly HelpArticle[];
}

/** Help articles by category, in reading order. */
export function helpTree(services: PageServices): HelpCategory[] {
  return services.library.contents.help.map(({ category, articles }) => ({
    id: category,
    ...cardAt(services, `help/${category}`),
    articles: articles.map((article) => ({
      path: `/help-center/${category}/${article}`,
      ...cardAt(services, `help/${category}/${article}`),
    })),
  }));
}
