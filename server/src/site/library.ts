import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library, LibraryContents, LibraryText, Locale } from '@bowerbird/contract';

const SOURCE: Locale = 'en-US';

/** Reads a collection's contents at the start, and each text on first use. */
export function openLibrary(folder: string): Library {
  const contents = readContents(folder);
  const listed = new Set(pathsOf(contents));
  const texts = new Map<string, LibraryText | undefined>();

  function text(path: string, locale: Locale): LibraryText | undefined {
    const key = `${path}/${locale}`;
    if (!texts.has(key)) texts.set(key, readText(join(folder, path, `${locale}.md`), locale));
    return texts.get(key);
  }
  return {
    contents,
    read: (path, locale) => (listed.has(path) ? (text(path, locale) ?? text(path, SOURCE)) : undefined),
  };
}

function readContents(folder: string): LibraryContents {
  const of = (collection: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(folder, collection, 'contents.json'), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  return {
    help: of('help'),
    faq: of('faq'),
    blog: of('blog'),
    policy: of('policy'),
    page: of('page'),
  } as LibraryContents;
}

/** Every text as a path below content/. */
export function pathsOf({ help, faq, blog, policy, page }: LibraryContents): string[] {
  return [
    ...help.flatMap(({ category, articles }) => [
      `help/${category}`,
      ...articles.map((article) => `help/${category}/${article}`),
    ]),
    ...faq.flatMap(({ group, questions }) => [
      `faq/${group}`,
      ...questions.map((question) => `faq/${group}/${question}`),
    ]),
    ...blog.map(({ slug }) => `blog/${slug}`),
    ...policy.flatMap(({ name, versions }) => versions.map((version) => `policy/${name}/${version}`)),
    ...page.map((name) => `page/${name}`),
  ];
}

function readText(file: string, locale: Locale): LibraryText | undefined {
  try {
    return parseText(readFileSync(file, 'utf8'), locale);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

const FRONT = /^---\n([\s\S]*?\n)?---\n?/;
const FIELDS = ['title', 'description', 'change'] as const;

/** Parses a text: its front matter is lines of `name: value`; a value in double quotes is read as JSON. */
export function parseText(source: string, locale: Locale): LibraryText {
  const front = FRONT.exec(source.replaceAll('\r\n', '\n'));
  if (!front) throw new Error('has no front matter');
  const fields: Partial<Record<(typeof FIELDS)[number], string>> = {};
  for (const line of (front[1] ?? '').split('\n').filter((one) => one !== '')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    const field = FIELDS.find((one) => one === name);
    if (!field) throw new Error(`has an invalid line: "${line}"`);
    fields[field] = value!.startsWith('"') ? (JSON.parse(value!) as string) : value!.trim();
  }
  const { title, description = '', change = '' } = fields;
  if (!title) throw new Error('has no title');
  return { locale, title, description, change, body: source.slice(front[0].length).trim() };
}
