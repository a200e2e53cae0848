import type { Locale } from '@bowerbird/contract';
import { catalogues } from 'virtual:catalogues';
import type { Messages } from './+types/messages.d.ts';

export type MessageKey = keyof Messages;
export type Catalogue = Readonly<Record<MessageKey, string>>;

/** Messages of each language as far as they are loaded; objects that grow, so that who holds one sees the rest come. */
const catalogueOf = new Map<Locale, Record<string, string>>();
const parts = new Map<string, Promise<void>>();

function loadPart(locale: Locale, part: 'page' | 'member'): Promise<void> {
  const known = parts.get(`${locale} ${part}`);
  if (known) return known;
  const loading = catalogues[locale][part]().then((module) => {
    catalogueOf.set(locale, Object.assign(catalogueOf.get(locale) ?? {}, module.default));
  });
  parts.set(`${locale} ${part}`, loading);
  return loading;
}

/** Whether a page (its path without the locale) says what is said in drives. */
export const isForMembers = (path: string): boolean => /^\/(?:drive\/|url-checker)/.test(path);

/** The messages of a language, loaded once; those of the drive's pages where they are asked for. */
export async function loadCatalogue(
  locale: Locale,
  { forMembers }: { forMembers: boolean },
): Promise<Catalogue> {
  await Promise.all([loadPart(locale, 'page'), forMembers && loadPart(locale, 'member')]);
  return catalogueOf.get(locale) as Catalogue;
}

/** The scripts that bring a language's messages to the browser; nothing where they are not built. */
export function catalogueFiles(locale: Locale, { forMembers }: { forMembers: boolean }): readonly string[] {
  const { pageFile, memberFile } = catalogues[locale];
  return [pageFile, forMembers ? memberFile : undefined].filter((file) => file !== undefined);
}

/** What the drive's pages say, before a visitor walks into them; browser only. */
export async function loadMemberMessages(): Promise<void> {
  await loadPart(document.documentElement.lang as Locale, 'member');
}
