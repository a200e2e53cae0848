import type { Catalogue } from './catalogue.ts';
import { readMessage } from './message.ts';
import type { Choice, MessageShape } from './message.ts';

/** Keys whose message may equal the English one: in every locale, or in those named. */
export type SameAsEnglish = Record<string, 'all' | readonly string[]>;

const quotes: Record<string, string> = {
  'en-US': '“”‘’',
  es: '«»“”‘’',
  id: '“”‘’',
  ja: '「」『』',
  ko: '“”‘’',
  ms: '“”‘’',
  pt: '“”‘’«»',
  ru: '«»„“’',
  uk: '«»„“’',
  'zh-CN': '“”‘’',
  'zh-TW': '「」『』',
};
const ownScript: Record<string, RegExp> = {
  ja: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
  'zh-CN': /\p{Script=Han}/u,
  'zh-TW': /\p{Script=Han}/u,
};

/** What is wrong with one message by itself. */
export function faultsOfMessage(locale: string, message: string): string[] {
  if (typeof message !== 'string') return ['is not a text'];
  if (message.trim() === '') return ['is empty'];
  const faults: string[] = [];
  if (message !== message.trim()) faults.push('begins or ends with a space');
  if (/["']/.test(message))
    faults.push(`has straight quotes; here they are ${quotes[locale]}, the apostrophe is ’`);
  if (message.includes('...')) faults.push('has three dots instead of …');
  const foreign = message.match(/[“”‘«»„「」『』]/g)?.find((mark) => !quotes[locale]!.includes(mark));
  if (foreign) faults.push(`has ${foreign}; quotes here are ${quotes[locale]}`);
  try {
    for (const choice of readMessage(message).choices) faults.push(...faultsOfChoice(locale, choice));
  } catch (error) {
    faults.push((error as Error).message);
  }
  return faults;
}

function faultsOfChoice(locale: string, { argument, type, cases }: Choice): string[] {
  if (type === 'select') return [];
  const rules = new Intl.PluralRules(locale, { type: type === 'plural' ? 'cardinal' : 'ordinal' });
  const needed = rules.resolvedOptions().pluralCategories;
  // “many” is for compact millions in Spanish and Portuguese, which most messages never reach.
  const optional = locale === 'es' || locale === 'pt' ? ['many'] : [];
  const missing = needed.filter((name) => !cases.includes(name) && !optional.includes(name));
  const spare = cases.filter(
    (name) => !name.startsWith('=') && !needed.includes(name as Intl.LDMLPluralRule),
  );
  return [
    ...missing.map((name) => `{${argument}} lacks the plural case “${name}”`),
    ...spare.map((name) => `{${argument}} has the plural case “${name}”, which ${locale} does not know`),
  ];
}

/** What is wrong with a translation beside its source. Messages that cannot be read are reported elsewhere. */
export function faultsOfTranslation(
  locale: string,
  source: string,
  translation: string,
  allowed: boolean,
): string[] {
  let ours: MessageShape;
  let theirs: MessageShape;
  try {
    ours = readMessage(source);
    theirs = readMessage(translation);
  } catch {
    return [];
  }
  const faults = [
    ...differences('argument', ours.arguments, theirs.arguments),
    ...differences('tag', ours.tags, theirs.tags),
    ...selectDifferences(ours, theirs),
  ];
  if (!allowed && isUntranslated(locale, source, translation, theirs)) {
    faults.push('is not translated (names and units belong in locales/same-as-english.json)');
  }
  return faults;
}

function isUntranslated(
  locale: string,
  source: string,
  translation: string,
  { text }: MessageShape,
): boolean {
  if (!/\p{L}/u.test(text)) return false;
  return translation === source || ownScript[locale]?.test(text) === false;
}

function differences(what: string, ours: Named, theirs: Named): string[] {
  const missing = [...ours.keys()].filter((name) => !theirs.has(name));
  const spare = [...theirs.keys()].filter((name) => !ours.has(name));
  return [
    ...missing.map((name) => `lacks the ${what} ${name}`),
    ...spare.map((name) => `has the ${what} ${name}, unlike English`),
  ];
}
type Named = { keys(): Iterable<string>; has(name: string): boolean };

function selectDifferences(ours: MessageShape, theirs: MessageShape): string[] {
  const cases = ({ choices }: MessageShape) =>
    choices
      .filter(({ type }) => type === 'select')
      .map(({ argument, cases: names }) => `${argument}: ${names.toSorted().join(', ')}`);
  return cases(ours).toSorted().join('; ') === cases(theirs).toSorted().join('; ')
    ? []
    : ['has other select cases than English'];
}

/** Entries of the allow list that allow nothing any more. */
export function spentAllowances(same: SameAsEnglish, source: Catalogue): string[] {
  return Object.keys(same).filter((key) => !Object.hasOwn(source, key));
}
