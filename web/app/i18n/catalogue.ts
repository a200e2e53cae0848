import type { Locale } from '@bowerbird/contract';
import { catalogues } from 'virtual:catalogues';
import type { Messages } from './+types/messages.d.ts';

export type MessageKey = keyof Messages;
export type Catalogue = Readonly<Record<MessageKey, string>>;

const loaded = new Map<Locale, Promise<Catalogue>>();

/** The messages of a language, loaded once. */
export function loadCatalogue(locale: Locale): Promise<Catalogue> {
  let catalogue = loaded.get(locale);
  if (!catalogue) {
    catalogue = catalogues[locale]().then((module) => module.default as Catalogue);
    loaded.set(locale, catalogue);
  }
  return catalogue;
}
