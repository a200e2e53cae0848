import type { Locale } from '@bowerbird/contract';

interface Rule {
  readonly wrong: RegExp;
  readonly right: string;
}

const word = (words: string, right: string): Rule => ({
  wrong: new RegExp(String.raw`(?<![\p{L}’-])(?:${words})(?![\p{L}-])`, 'iu'),
  right,
});
/** For scripts without spaces between words, and for word stems. */
const part = (wrong: RegExp, right: string): Rule => ({ wrong, right });

/** Words that a language avoids here, and their replacements: one term for each thing, as in docs/glossary.md. */
const RULES: Readonly<Record<Locale, readonly Rule[]>> = {
  'en-US': [
    word('e-mails?|mails', 'email'),
    word('operators?|whoever', 'administrator, or say who'),
    word('second step', 'two-step verification'),
    word('fetch(?:es|ed|ing)?', 'download'),
    word('for ever', 'forever'),
    word('anew', 'again'),
    word('at once', 'right away, or at the same time'),
    word('any more', 'no longer'),
    word('go(?:es)? on', 'continue, or resume'),
    word('(?:by|of) (?:itself|themselves)', 'automatically'),
    word('lies|stands', 'is, or are'),
    word('lets? (?:you |them |it )?in|come in', 'approve, allow access, or sign in'),
    word('also while', 'even while'),
    word(
      '(?:synchron|organ|recogn)is(?:e|es|ed|ing)|licence|colour|favourite|cancelled',
      'American spelling',
    ),
  ],
  es: [part(/para siempre/i, 'definitivamente'), part(/\bpor sí sol[oa]s?\b/i, 'automáticamente')],
  id: [part(/operator/i, 'administrator')],
  ja: [part(/ホームページ/, 'トップページ')],
  ko: [part(/홈페이지/, '홈')],
  ms: [part(/\b(?:kirimi|merekrut)\b/i, 'hantar kepada, menarik'), part(/pengendali/i, 'pentadbir')],
  pt: [part(/para sempre/i, 'definitivamente'), part(/\bsozinh[oa]s?\b/i, 'automaticamente')],
  ru: [part(/другой сайт/i, 'сайт'), part(/запертый архив/i, 'архив с паролем')],
  uk: [
    part(/інший сайт/i, 'сайт'),
    part(/замкнений архів/i, 'архів із паролем'),
    part(/видобу/i, 'розпакувати'),
  ],
  'zh-CN': [part(/关联/, '绑定')],
  'zh-TW': [part(/QR 碼/, 'QR Code')],
};

/** Finds words that this language avoids here. `text` is what a person reads, without placeholders. */
export function faultsOfWording(locale: string, text: string): string[] {
  return (RULES[locale as Locale] ?? []).flatMap(({ wrong, right }) => {
    const found = wrong.exec(text)?.[0];
    return found === undefined ? [] : [`says “${found}”; use ${right} instead`];
  });
}
