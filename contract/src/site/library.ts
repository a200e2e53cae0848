import type { Locale } from '../language/locales.ts';

/** A text of the public pages. */
export interface LibraryText {
  /** Language of the text: the requested one, or the source language if there is no translation. */
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** Changes since the previous version; for policies only. */
  readonly change: string;
  /** Markdown. */
  readonly body: string;
}

/** Contents of each collection, in reading order. */
export interface LibraryContents {
  readonly help: readonly { readonly category: string; readonly articles: readonly string[] }[];
  readonly faq: readonly { readonly group: string; readonly questions: readonly string[] }[];
  readonly blog: readonly {
    readonly slug: string;
    readonly date: string;
    readonly tags: readonly string[];
  }[];
  readonly policy: readonly { readonly name: string; readonly versions: readonly string[] }[];
  /** Texts with a page of their own; their name is the path of the page. */
  readonly page: readonly string[];
}

/** The texts of the public pages, from content/. */
export interface Library {
  readonly contents: LibraryContents;
  /** The text in a folder of content/ (`help/sharing/share-a-folder`); undefined if no such text is listed. */
  read(path: string, locale: Locale): LibraryText | undefined;
}

/** Administrator of the installation, as named on the public pages. */
export interface OperatorFacts {
  readonly name: string;
  /** Contact address; empty if none is set. */
  readonly contact: string;
  /** Days for which deleted files of members without a plan are kept; the usual ones if absent. */
  readonly trashDays?: number;
}
