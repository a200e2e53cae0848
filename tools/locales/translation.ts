import type { Catalogue } from './catalogue.ts';
import { readMessage } from './message.ts';
import { faultsOfWording } from './wording.ts';
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
  // “many” is for compact millions in Spanish and Portuguese, which most messages never reach.
  const optional = locale === 'es' || locale === 'pt' ? ['many'] : [];
  const missing = needed.filter((form) => !forms.includes(form) && !optional.includes(form));
  const spare = forms.filter(
    (form) => !form.startsWith('=') && !needed.includes(form as Intl.LDMLPluralRule),
  );
  return [
    ...missing.map((form) => `{${name}} lacks the plural form “${form}”`),
    ...spare.map((form) => `{${name}} has the plural form “${form}”, which ${locale} does not know`),
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
    : ['has other select forms than English'];
}

/** Entries of the allow list that allow nothing any more. */
export function spentAllowances(same: SameAsEnglish, source: Catalogue): string[] {
  return Object.keys(same).filter((key) => !Object.hasOwn(source, key));
}
