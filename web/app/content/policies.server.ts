import { diff } from 'node:util';
import type { PageServices } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { cardAt, renderMarkdown } from './render.server.ts';

export interface PolicyCard {
  readonly name: string;
  readonly title: string;
  readonly versions: readonly { readonly date: string; readonly change: string }[];
}

/** Returns every policy with its versions, newest first. */
export function policies(services: PageServices): PolicyCard[] {
  const { library, locale } = services;
  return library.contents.policy.map(({ name, versions }) => ({
    name,
    title: cardAt(services, `policy/${name}/${versions[0]}`).title,
    versions: versions.map((date) => ({
      date,
      change: library.read(`policy/${name}/${date}`, locale)?.change ?? '',
    })),
  }));
}

/** Returns the policy of that name; throws the not-found response for unknown ones. */
export function policyNamed(all: readonly PolicyCard[], name: string, pathname: string): PolicyCard {
  const policy = all.find((one) => one.name === name);
  if (!policy) throw pageNotFound(pathname);
  return policy;
}

/** Paragraph in a comparison of two versions: unchanged, removed, or added. */
export interface Change {
  readonly id: number;
  readonly kind: 'same' | 'out' | 'in';
  readonly html: string;
}

const KINDS = { '-1': 'in', '0': 'same', '1': 'out' } as const;

/** Compares two versions of a policy, paragraph by paragraph. */
export function changesBetween(
  services: PageServices,
  { name, from, to }: { name: string; from: string; to: string },
  pathname: string,
): Change[] {
  const paragraphs = (date: string): string[] => {
    const text = services.library.read(`policy/${name}/${date}`, services.locale);
    if (!text) throw pageNotFound(pathname);
    return text.body.split(/\n{2,}/);
  };
  const { origin, operator, locale } = services;
  const place = { pathname, origin, operator, locale };
  return diff(paragraphs(from), paragraphs(to)).map(([operation, paragraph], id) => ({
    id,
    kind: KINDS[`${operation}`],
    html: renderMarkdown(paragraph, place).html,
  }));
}
