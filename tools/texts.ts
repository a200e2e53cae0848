import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DEFAULT_LOCALE, LOCALES, type LibraryText, type Locale } from '@bowerbird/contract';
import { openLibrary, parseText, pathsOf } from '../server/src/site/index.ts';
import { differences, shapeOf } from './texts/shape.ts';

// `npm run texts` checks that every text of content/ exists in every language with the same structure, and that every
// link leads to a page.

/** Texts that still wait for their translations; the product doesn't use them. */
const DRAFTS = 'drafts';
const LONGEST_TITLE = 80;
const LONGEST_DESCRIPTION = 170;
const PLACEHOLDERS = new Set(['operator', 'contact', 'site', 'trash_days']);

/** All problems in the texts of a checkout, one per line. */
export function checkTexts(root: string): string[] {
  const content = join(root, 'content');
  const { contents } = openLibrary(content);
  const paths = pathsOf(contents);
  const pages = pagesOf(root);
  const targets = new Set([
    ...contents.help.flatMap(({ category, articles }) => [
      `/help-center/${category}`,
      ...articles.map((article) => `/help-center/${category}/${article}`),
    ]),
    ...contents.faq.flatMap(({ questions }) => questions.map((id) => `/faq#${id}`)),
    ...contents.blog.map(({ slug }) => `/blog/${slug}`),
    ...contents.policy.flatMap(({ name, versions }) => [
      `/policy/${name}`,
      ...versions.map((version) => `/policy/${name}/${version}`),
    ]),
  ]);
  const leads = (link: string): boolean =>
    !link.startsWith('/') || targets.has(link) || pages.has(link.split(/[?#]/, 1)[0]!);

  const problems = unlisted(content, new Set(paths));
  for (const path of paths) {
    const source = read(content, path, DEFAULT_LOCALE, problems);
    if (!source) continue;
    const shape = shapeOf(source.body);
    for (const locale of LOCALES) {
      const text: LibraryText | undefined =
        locale === DEFAULT_LOCALE ? source : read(content, path, locale, problems);
      if (!text) continue;
      const found = faultsOf(text);
      for (const link of shapeOf(text.body).links)
        if (!leads(link)) found.push(`leads to ${link}, which does not exist`);
      if (text !== source) {
        found.push(...differences(shape, shapeOf(text.body)));
        for (const field of ['title', 'description', 'change'] as const)
          if ((text[field] === '') !== (source[field] === '')) found.push(`has no ${field}, or one too many`);
      }
      problems.push(...found.map((what) => `content/${path}/${locale}.md: ${what}`));
    }
  }
  return problems;
}

function read(content: string, path: string, locale: Locale, problems: string[]): LibraryText | undefined {
  try {
    return parseText(readFileSync(join(content, path, `${locale}.md`), 'utf8'), locale);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    problems.push(`content/${path}/${locale}.md: ${isMissing ? 'is missing' : (error as Error).message}`);
    return undefined;
  }
}

function faultsOf({ title, description, body }: LibraryText): string[] {
  const faults: string[] = [];
  if (title.length > LONGEST_TITLE) faults.push(`has a title of ${title.length} characters`);
  if (description.length > LONGEST_DESCRIPTION)
    faults.push(`has a description of ${description.length} characters`);
  const strange = shapeOf(body).placeholders.filter((name) => !PLACEHOLDERS.has(name));
  faults.push(...strange.map((name) => `uses the unknown placeholder {{${name}}}`));
  if (/^# /m.test(body.replaceAll(/^```[\s\S]*?^```$/gm, '')))
    faults.push('has a first-level heading besides its title');
  if (/<[a-z][^>]*>/i.test(body.replaceAll(/```[\s\S]*?```|`[^`]*`/g, ''))) faults.push('contains HTML');
  return faults;
}

/** Folders with texts that aren't listed in any table of contents. */
function unlisted(content: string, listed: ReadonlySet<string>): string[] {
  const strays: string[] = [];
  const walk = (folder: string): void => {
    const entries = readdirSync(folder);
    const path = relative(content, folder);
    if (path === DRAFTS) return;
    if (entries.some((name) => name.endsWith('.md')) && !listed.has(path))
      strays.push(`content/${path}: is in no contents.json`);
    for (const name of entries) if (statSync(join(folder, name)).isDirectory()) walk(join(folder, name));
  };
  walk(content);
  return strays;
}

/** Addresses of pages, from the routes of the web app; those with parameters only exist for known texts. */
function pagesOf(root: string): ReadonlySet<string> {
  const routes = readFileSync(join(root, 'web/app/routes.ts'), 'utf8');
  const paths = [...routes.matchAll(/route\('([^':*]+?)(?:\/:\w+\?)?',/g)].map(([, path]) => `/${path}`);
  return new Set(['/', ...paths]);
}

if (import.meta.main) {
  const problems = checkTexts(join(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'all texts in order' : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
