import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DEFAULT_LOCALE, LOCALES } from '@bowerbird/contract';
import { readCatalogue, tidyCatalogue } from './locales/catalogue.ts';
import type { Catalogue, Problem } from './locales/catalogue.ts';
import { faultsOfMessage, faultsOfTranslation, spentAllowances } from './locales/translation.ts';
import type { SameAsEnglish } from './locales/translation.ts';
import { isUsed, readUsage } from './locales/usage.ts';

// `npm run locales` checks that all catalogues are complete, correct and used. `-- --fix` sorts them and fixes their
// punctuation.

const speaking = ['web/app', 'server/src', 'worker/src', 'contract/src'];

/** Finds all problems in the catalogues of a checkout. */
export async function checkLocales(root: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  const read = async (locale: string): Promise<Catalogue> => {
    const found = await readCatalogue(fileOf(root, locale));
    problems.push(...found.problems);
    return found.catalogue;
  };
  const source = await read(DEFAULT_LOCALE);
  const allowances = JSON.parse(await readFile(fileOf(root, 'same-as-english'), 'utf8')) as SameAsEnglish;
  for (const locale of LOCALES) {
    const catalogue = locale === DEFAULT_LOCALE ? source : await read(locale);
    const file = fileOf(root, locale);
    const problem = (key: string) => (what: string) => ({ file, key, what });
    for (const [key, message] of Object.entries(catalogue)) {
      problems.push(...faultsOfMessage(locale, message).map(problem(key)));
      if (!Object.hasOwn(source, key)) problems.push(problem(key)('is not in English'));
      else if (locale !== DEFAULT_LOCALE) {
        const allowed = allowances[key] === 'all' || allowances[key]?.includes(locale) === true;
        problems.push(...faultsOfTranslation(locale, source[key]!, message, allowed).map(problem(key)));
      }
    }
    const missing = Object.keys(source).filter((key) => !Object.hasOwn(catalogue, key));
    problems.push(...missing.map((key) => problem(key)('is missing')));
  }
  const spent = spentAllowances(allowances, source);
  problems.push(
    ...spent.map((key) => ({ file: fileOf(root, 'same-as-english'), key, what: 'is not in English' })),
  );
  return [...problems, ...(await checkUsage(root, source))];
}

async function checkUsage(root: string, source: Catalogue): Promise<Problem[]> {
  const usage = await readUsage(root, speaking);
  const unused = Object.keys(source).filter((key) => !isUsed(usage, key));
  const unknown = [...usage.asked].filter(([key]) => !Object.hasOwn(source, key));
  return [
    ...unused.map((key) => ({ file: fileOf(root, DEFAULT_LOCALE), key, what: 'is used nowhere' })),
    ...unknown.map(([key, file]) => ({ file: join(root, file), key, what: 'is in no catalogue' })),
  ];
}

const fileOf = (root: string, name: string) => join(root, 'locales', `${name}.json`);

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  if (process.argv.includes('--fix')) for (const locale of LOCALES) await tidyCatalogue(fileOf(root, locale));
  const problems = await checkLocales(root);
  for (const { file, key, what } of problems) console.error(`${relative(root, file)}:${key}: ${what}`);
  console.log(
    problems.length === 0 ? `${LOCALES.length} catalogues in order` : `${problems.length} problems`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
