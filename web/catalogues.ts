import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { LOCALES } from '@bowerbird/contract';
import { sourceCatalogue, writeMessageTypes } from './message-types.ts';

const folder = join(import.meta.dirname, '..', 'locales');
const index = 'virtual:catalogues';
const one = 'virtual:catalogue/';

/** Groups for the server only: mail, notifications, invoices, and text files for members; pages don't ship them. */
const NOT_FOR_PAGES = new Set(['mail', 'sms', 'notification', 'invoice', 'readme']);
/** Groups that only the drive's pages and the link checker use; visitors of other pages don't load them. */
const OF_MEMBERS = new Set([
  'drive',
  'search',
  'upload',
  'offline',
  'subscription',
  'transfers',
  'invite',
  'admin',
  'urlChecker',
  'profile',
  'push',
  'security',
  'oauth',
  'closing',
  'takeout',
  'redeem',
  'ledger',
  'payment',
  'shop',
  'firstSteps',
  'space',
  'people',
  'wire',
]);

/** Groups that only the public pages use; visitors of a share don't load them. */
const OF_SITE = new Set([
  'home',
  'help',
  'faq',
  'blog',
  'policy',
  'apps',
  'contact',
  'activity',
  'checkIn',
  'hub',
  'pwa',
]);

/**
 * Errors that occur only on those pages: downloads, archives, names, tags and versions of the member's own files,
 * access of others to them, apps asking for access. If one occurs elsewhere after all, the reader sees the server's
 * text.
 */
const ERRORS_OF_MEMBERS =
  /^error\.(?:source|torrent|feed|link|subscription|task|archive|unzip|cannot_pack|upload|access_(?:not_found|owner|stays|view)|person|pin|tag|note|version|content_changed|file_(?:name|move|rename)|last_operator|activation|invalid_activation|invite_code|(?:interaction|consent|account_selection)_required|request|registration|invalid_(?:redirect|client|scope|grant|request_)|unsupported_|unauthorized_client|slow_down|authorization_pending|temporarily|server_error)/;

const PARTS = ['page', 'account', 'member', 'site'] as const;
type Part = (typeof PARTS)[number];
type Messages = Record<string, string>;

const partOf = (key: string): Part | undefined => {
  const group = key.split('.', 1)[0]!;
  if (NOT_FOR_PAGES.has(group)) return undefined;
  if (group === 'account') return 'account';
  return OF_MEMBERS.has(group) || ERRORS_OF_MEMBERS.test(key)
    ? 'member'
    : OF_SITE.has(group)
      ? 'site'
      : 'page';
};

const fileOf = (locale: string): string => join(folder, `${locale}.json`);

function read(locale: string): Messages {
  return existsSync(fileOf(locale)) ? (JSON.parse(readFileSync(fileOf(locale), 'utf8')) as Messages) : {};
}

/** All messages of one part in one language; missing ones are filled in from the source language. */
function messagesOf(locale: string, part: Part): Messages {
  const all = { ...read('en-US'), ...read(locale) };
  return Object.fromEntries(Object.entries(all).filter(([key]) => partOf(key) === part));
}

const idOf = (locale: string, part: Part): string => `${one}${part}-${locale}`;

const moduleOf = (messages: Messages): string =>
  `export default JSON.parse(${JSON.stringify(JSON.stringify(messages))});`;

/** Path of a catalog's built chunk: known before the build, so that pages can preload it. */
function fileNameOf(locale: string, part: Part): string {
  const digest = createHash('sha256')
    .update(moduleOf(messagesOf(locale, part)))
    .digest('base64url');
  return `assets/${part}-${locale}-${digest.slice(0, 8)}.js`;
}

/** Entry of `virtual:catalogues` for one language. */
function entryOf(locale: string, isBuilt: boolean): string {
  const parts = PARTS.map((part) => {
    const file = isBuilt ? `, ${part}File: ${JSON.stringify(`/${fileNameOf(locale, part)}`)}` : '';
    return `${part}: () => import(${JSON.stringify(idOf(locale, part))})${file}`;
  });
  return `${JSON.stringify(locale)}: { ${parts.join(', ')} }`;
}

/**
 * Provides `virtual:catalogues`, which loads the messages of one language in chunks: those of every page, of
 * the sign-in forms, of the drive's pages, and of the public pages. The server's half of the build also knows
 * the paths of the chunks. Also keeps the message types up to date.
 */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    buildStart() {
      writeMessageTypes();
      if (this.environment.name !== 'client' || this.environment.mode !== 'build') return;
      for (const locale of LOCALES)
        for (const part of PARTS)
          this.emitFile({ type: 'chunk', id: idOf(locale, part), fileName: fileNameOf(locale, part) });
    },
    resolveId: (id) => (id === index || id.startsWith(one) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${index}`) {
        const isBuilt = this.environment.name !== 'client' && this.environment.mode === 'build';
        const entries = LOCALES.map((locale) => entryOf(locale, isBuilt));
        return `export const catalogues = { ${entries.join(', ')} };`;
      }
      if (!id.startsWith(`\0${one}`)) return undefined;
      const [, part, locale] = /^([a-z]+)-(.+)$/.exec(id.slice(one.length + 1)) as unknown as [
        string,
        Part,
        string,
      ];
      this.addWatchFile(sourceCatalogue);
      this.addWatchFile(fileOf(locale));
      return moduleOf(messagesOf(locale, part));
    },
    handleHotUpdate({ file }) {
      if (file === sourceCatalogue) writeMessageTypes();
    },
  };
}
