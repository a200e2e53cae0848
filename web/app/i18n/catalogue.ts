import type { Locale } from '@bowerbird/contract';
import { catalogues } from 'virtual:catalogues';
import type { Messages } from './+types/messages.d.ts';

export type MessageKey = keyof Messages;
export type Catalogue = Readonly<Record<MessageKey, string>>;

/**
 * Messages loaded so far in each language. Later ones are added to the same objects, so that code with a reference to
 * one gets them as well.
 */
const catalogueOf = new Map<Locale, Record<string, string>>();
const loads = new Map<string, Promise<void>>();

/** Chunks of messages by the pages that use them; `page` is for all pages, `account` for the sign-in forms. */
export type CataloguePart = 'page' | 'account' | 'member' | 'site';

export const ALL_PARTS: readonly CataloguePart[] = ['page', 'account', 'member', 'site'];

function loadPart(locale: Locale, part: CataloguePart): Promise<void> {
  const known = loads.get(`${locale} ${part}`);
  if (known) return known;
  const loading = catalogues[locale][part]().then((module) => {
    catalogueOf.set(locale, Object.assign(catalogueOf.get(locale) ?? {}, module.default));
  });
  loads.set(`${locale} ${part}`, loading);
  return loading;
}

/** Returns the parts that a page needs, by its path without the locale. */
export function partsOf(path: string): readonly CataloguePart[] {
  if (/^\/(?:url-checker|inapp)(?:\/|$)/.test(path)) return ALL_PARTS;
  if (/^\/(?:drive\/(?!login)|(?:admin|auth|auth-success|device|referral)(?:\/|$))/.test(path))
    return ['page', 'account', 'member'];
  return /^\/(?:s|captcha|loading)(?:\/|$)/.test(path) ? ['page'] : ['page', 'account', 'site'];
}

/** Loads messages of a language, each part once. */
export async function loadCatalogue(locale: Locale, parts: readonly CataloguePart[]): Promise<Catalogue> {
  await Promise.all(parts.map((part) => loadPart(locale, part)));
  return catalogueOf.get(locale) as Catalogue;
}

/** Scripts that contain a language's messages; empty in development, where they are not built. */
export function catalogueFiles(locale: Locale, parts: readonly CataloguePart[]): readonly string[] {
  return parts.map((part) => catalogues[locale][`${part}File`]).filter((file) => file !== undefined);
}

/** Loads the messages of some pages before a visitor navigates to them; browser only. */
export async function loadMessages(part: CataloguePart): Promise<void> {
  const parts = part === 'page' ? [part] : (['account', part] as const);
  await Promise.all(parts.map((one) => loadPart(document.documentElement.lang as Locale, one)));
}
