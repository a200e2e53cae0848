import type { Catalogue } from './catalogue.ts';
import { readMessage } from './message.ts';
import { faultsOfWording } from './wording.ts';
import type { Choice, MessageShape } from './message.ts';

/** Keys whose message may be the same as in English: in every locale, or in the named ones. */
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

/** Problems of a single message on its own. */
export function faultsOfMessage(locale: string, message: string): string[] {
  if (typeof message !== 'string') return ['is not a text'];
  if (message.trim() === '') return ['is empty'];
  const faults: string[] = [];
  if (message !== message.trim()) faults.push('begins or ends with a space');
  if (/["']/.test(message))
    faults.push(`has straight quotes; use ${quotes[locale]}, and ’ as the apostrophe`);
  if (message.includes('...')) faults.push('has three dots instead of …');
  const foreign = message.match(/[“”‘«»„「」『』]/g)?.find((mark) => !quotes[locale]!.includes(mark));
  if (foreign) faults.push(`has ${foreign}; use ${quotes[locale]} instead`);
  try {
    const { choices, text } = readMessage(message);
    for (const choice of choices) faults.push(...faultsOfChoice(locale, choice));
    faults.push(...faultsOfWording(locale, text));
  } catch (error) {
    faults.push((error as Error).message);
  }
  return faults;
}

function faultsOfChoice(locale: string, { name, kind, forms }: Choice): string[] {
  if (kind === 'select') return [];
  const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  // “many” is for compact millions in Spanish and Portuguese, which hardly any message needs.
  const optional = locale === 'es' || locale === 'pt' ? ['many'] : [];
  const missing = needed.filter((form) => !forms.includes(form) && !optional.includes(form));
  const spare = forms.filter(
    (form) => !form.startsWith('=') && !needed.includes(form as Intl.LDMLPluralRule),
  );
  return [
    ...missing.map((form) => `{${name}} lacks the plural form “${form}”`),
    ...spare.map((form) => `{${name}} has the plural form “${form}”, which ${locale} does not have`),
  ];
}

/** Problems of a translation compared with its source. Messages that don't parse are reported elsewhere. */
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
  const faults = [...placeholderDifferences(ours, theirs), ...selectDifferences(ours, theirs)];
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

function placeholderDifferences(ours: MessageShape, theirs: MessageShape): string[] {
  const missing = [...ours.placeholders.difference(theirs.placeholders)];
  const spare = [...theirs.placeholders.difference(ours.placeholders)];
  return [
    ...missing.map((name) => `lacks {${name}}`),
    ...spare.map((name) => `has {${name}}, unlike English`),
  ];
}

function selectDifferences(ours: MessageShape, theirs: MessageShape): string[] {
  const selects = ({ choices }: MessageShape) =>
    new Set(
      choices.flatMap(({ name, kind, forms }) =>
        kind === 'select' ? forms.map((form) => `${name} ${form}`) : [],
      ),
    );
  return selects(ours).symmetricDifference(selects(theirs)).size === 0
    ? []
    : ['has different select forms from English'];
}

/** Entries of the allow list that are no longer needed. */
export function spentAllowances(same: SameAsEnglish, source: Catalogue): string[] {
  return Object.keys(same).filter((key) => !Object.hasOwn(source, key));
}
