import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { LOCALES } from '@bowerbird/contract';
import { sourceCatalogue, writeMessageTypes } from './message-types.ts';

const folder = join(import.meta.dirname, '..', 'locales');
const index = 'virtual:catalogues';
const one = 'virtual:catalogue/';

/** Mails are written by the server; their words are no weight for pages. */
const NOT_FOR_PAGES = new Set(['mail']);
/** Groups of messages that only the drive's own pages use; visitors of the rest load none of them. */
const OF_MEMBERS = new Set(['drive', 'upload']);

type Part = 'page' | 'member';
type Messages = Record<string, string>;

const partOf = (key: string): Part | undefined => {
  const group = key.split('.', 1)[0]!;
  return NOT_FOR_PAGES.has(group) ? undefined : OF_MEMBERS.has(group) ? 'member' : 'page';
};

const fileOf = (locale: string): string => join(folder, `${locale}.json`);

function read(locale: string): Messages {
  return existsSync(fileOf(locale)) ? (JSON.parse(readFileSync(fileOf(locale), 'utf8')) as Messages) : {};
}

/** Messages of one part in one language, whole: what the language lacks is filled from the source language. */
function messagesOf(locale: string, part: Part): Messages {
  const all = { ...read('en-US'), ...read(locale) };
  return Object.fromEntries(Object.entries(all).filter(([key]) => partOf(key) === part));
}

const loader = (locale: string, part: Part): string =>
  `() => import(${JSON.stringify(`${one}${part}-${locale}`)})`;

/**
 * `virtual:catalogues` loads the messages of one language, in two chunks: those of every page and those of the drive's.
 * Also keeps the types of the messages up to date.
 */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    buildStart: writeMessageTypes,
    resolveId: (id) => (id === index || id.startsWith(one) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${index}`) {
        const entries = LOCALES.map(
          (locale) =>
            `${JSON.stringify(locale)}: { page: ${loader(locale, 'page')}, member: ${loader(locale, 'member')} }`,
        );
        return `export const catalogues = { ${entries.join(', ')} };`;
      }
      if (!id.startsWith(`\0${one}`)) return undefined;
      const [, part, locale] = /^(page|member)-(.+)$/.exec(id.slice(one.length + 1)) as unknown as [
        string,
        Part,
        string,
      ];
      this.addWatchFile(sourceCatalogue);
      this.addWatchFile(fileOf(locale));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(messagesOf(locale, part)))});`;
    },
    handleHotUpdate({ file }) {
      if (file === sourceCatalogue) writeMessageTypes();
    },
  };
}
