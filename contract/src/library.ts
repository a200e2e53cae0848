import type { Locale } from './locales.ts';

/** A text of the public pages. */
export interface LibraryText {
  /** The language that it is in: the one asked for, or the source language where it was not translated. */
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** What changed against the version before; of policies only. */
  readonly change: string;
  /** Markdown. */
  readonly body: string;
}

/** What each collection holds, in reading order. */
export interface LibraryContents {
  readonly help: readonly { readonly category: string; readonly articles: readonly string[] }[];
  readonly faq: readonly { readonly group: string; readonly questions: readonly string[] }[];
  readonly blog: readonly {
    readonly slug: string;
    readonly date: string;
    readonly tags: readonly string[];
  }[];
  readonly policy: readonly { readonly name: string; readonly versions: readonly string[] }[];
  /** Texts with a page of their own; the path of the page is their name. */
  readonly page: readonly string[];
}

/** The texts of the public pages, as they lie in content/. */
export interface Library {
  readonly contents: LibraryContents;
  /** The text of a folder of content/ (`help/sharing/share-a-folder`); undefined where no such text is listed. */
  read(path: string, locale: Locale): LibraryText | undefined;
}

/** Who runs the installation, as its pages say. */
export interface OperatorFacts {
  readonly name: string;
  /** An address that people write to; empty where none is given. */
  readonly contact: string;
}
