import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { LOCALES } from '@bowerbird/contract';
import { sourceCatalogue, writeMessageTypes } from './message-types.ts';

const folder = join(import.meta.dirname, '..', 'locales');
const index = 'virtual:catalogues';
const one = 'virtual:catalogue/';
/** Mails are written by the server; their words are no weight for pages. */
const notForPages = (key: string): boolean => key.startsWith('mail.');

const read = (file: string): Record<string, string> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};

/**
 * `virtual:catalogues` loads the messages of one language: one chunk each, whole, because what a language lacks is
 * filled from the source language here. Also keeps the types of the messages up to date.
 */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    buildStart: writeMessageTypes,
    resolveId: (id) => (id === index || id.startsWith(one) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${index}`) {
        const entries = LOCALES.map(
          (locale) => `${JSON.stringify(locale)}: () => import(${JSON.stringify(one + locale)})`,
        );
        return `export const catalogues = { ${entries.join(', ')} };`;
      }
      if (!id.startsWith(`\0${one}`)) return undefined;
      const file = join(folder, `${id.slice(one.length + 1)}.json`);
      this.addWatchFile(sourceCatalogue);
      this.addWatchFile(file);
      const messages = Object.entries({ ...read(sourceCatalogue), ...read(file) }).filter(
        ([key]) => !notForPages(key),
      );
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(messages)))});`;
    },
    handleHotUpdate({ file }) {
      if (file === sourceCatalogue) writeMessageTypes();
    },
  };
}
