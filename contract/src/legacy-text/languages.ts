import type { Kind } from './characters.ts';
import { HANGUL, KANJI, SIMPLIFIED_HANZI, TRADITIONAL_HANZI } from './common-characters.ts';
import { JAPANESE_WORDS, KOREAN_WORDS, SIMPLIFIED_WORDS, TRADITIONAL_WORDS } from './frequent-words.ts';
import { RUSSIAN, UKRAINIAN, type LetterPairs } from './cyrillic-pairs.ts';

/** Improbability of characters in a language: the negative logarithm of their probability. */
export interface Language {
  /**
   * Improbability of a letter; undefined if the language doesn't use it. `before` is the preceding letter, '' at the
   * start of a word.
   */
  letter(character: string, before: string, kind: Kind): number | undefined;
  /** Improbability of a word ending after this letter. */
  end(last: string): number;
  /** Punctuation that the language uses besides ASCII. */
  readonly signs: string;
  readonly isWide: boolean;
  /** Finds words that occur more often than their characters suggest. */
  readonly words?: RegExp;
}

/** Longest first, so that the longest match wins. */
const anyOf = (words: string): RegExp =>
  new RegExp(
    words
      .split(' ')
      .filter((word) => word.length > 1)
      .toSorted((a, b) => b.length - a.length)
      .join('|'),
    'g',
  );

/** The cost of ranks below `most`. */
type Steps = readonly (readonly [most: number, cost: number])[];

function ranks(characters: string, steps: Steps): ReadonlyMap<string, number> {
  return new Map(
    [...characters].map((character, rank) => [
      character,
      (steps.find(([most]) => rank < most) ?? steps.at(-1)!)[1],
    ]),
  );
}

const HAN_STEPS: Steps = [
  [100, 5.4],
  [400, 6.9],
  [1000, 8.2],
  [1500, 9.5],
  [Infinity, 10.8],
];
const KANJI_STEPS: Steps = [
  [100, 6.3],
  [400, 7.5],
  [Infinity, 8.8],
];
const HANGUL_STEPS: Steps = [
  [100, 5],
  [300, 6.8],
  [Infinity, 9],
];
const KANA = ranks(
  'のますをしにではいるとたてがれかもりなきさこくだらあせんそけう' +
    'っえめつおわじべどよみほやびごばずちへぐぶぎむろぞねげぱづぜぬざょひぼぽゃゅふゆ' +
    'ーンドイストルアフロウクリプッラァダパコサレグブカメワジォバタシビマペセィュピデキテェザネオミムゴチソズベポョニハ' +
    'ボエホャユガモヤケノヘツナゾヒギゼヴヅヂヌ',
  [
    [20, 3.9],
    [70, 5.2],
    [110, 4.9],
    [Infinity, 6],
  ],
);
const RARE_HAN = 12.5;
const UNHEARD_OF = 18;
/** Ideographs beyond the first plane, which only appear in dictionaries. */
const RAREST = 26;
const rareHan = (character: string, rare: number): number =>
  character.length > 1 ? RAREST : character >= '\u4e00' && character <= '\u9fff' ? rare : UNHEARD_OF;

const WIDE_SIGNS =
  '、。「」『』【】《》（）〈〉〔〕［］・～〜！？，．：；＋－＿＆＝／％＃＠“”‘’…—·　※★☆●○◎◆◇■□▲△▼▽→←↑↓①②③④⑤⑥⑦⑧⑨⑩ⅠⅡⅢⅣⅤ℃♪々';

function ideographic(
  characters: ReadonlyMap<string, number>,
  words: string,
  { kana, hangul }: { kana: number; hangul: number },
): Language {
  return {
    letter: (character, _, kind) => {
      const known = characters.get(character);
      if (known !== undefined) return known;
      if (kind === 'han') return rareHan(character, RARE_HAN);
      if (kind === 'kana') return kana;
      if (kind === 'hangul') return hangul;
      return undefined;
    },
    end: () => 0,
    signs: WIDE_SIGNS,
    isWide: true,
    words: anyOf(words),
  };
}

const HALF_KANA_COST = 6.2;
const japaneseLetters = new Map([...KANA, ...ranks(KANJI, KANJI_STEPS)]);
/** Small kana belong to the preceding character, and no word begins with a syllabic n or a long vowel mark. */
const isMisplaced = (character: string, before: string): boolean =>
  (/[ゃゅょ]/.test(character) && !/[きしちにひみりぎじぢびぴ]/.test(before)) ||
  (/[ャュョ]/.test(character) && !/[キシチニヒミリギジヂビピテデフヴ]/.test(before)) ||
  (/[んンー]/.test(character) && before === '');
const MISPLACED = 4;
const japanese: Language = {
  ...ideographic(japaneseLetters, JAPANESE_WORDS, { kana: 7, hangul: UNHEARD_OF }),
  letter: (character, before, kind) => {
    if (kind === 'half-kana') return HALF_KANA_COST;
    const known = japaneseLetters.get(character);
    if (known !== undefined) return known + (isMisplaced(character, before) ? MISPLACED : 0);
    return kind === 'kana' ? 7 : kind === 'han' ? rareHan(character, 11.5) : undefined;
  },
};

const FOREIGN_CYRILLIC = 8;
const RAREST_PAIR = 6.5;
const DOTTED = 1.5;
function cyrillic({ letters, costs }: LetterPairs): Language {
  const places = new Map([...letters].map((letter, at) => [letter, at + 1]));
  const cost = (before: number, after: number): number =>
    Math.min(RAREST_PAIR, Number.parseInt(costs[before]![after]!, 16) / 2);
  return {
    letter: (character, before, kind) => {
      if (kind !== 'cyrillic') return undefined;
      // Most people write the dots only where they make a difference.
      const dots = /ё/i.test(character) ? DOTTED : 0;
      const place = places.get(dots ? 'е' : character.toLowerCase());
      if (place === undefined) return FOREIGN_CYRILLIC;
      return cost(places.get(before.toLowerCase()) ?? 0, place) + dots;
    },
    end: (last) => cost(places.get(last.toLowerCase()) ?? 0, 0),
    signs: '№«»–—…’“”„•°',
    isWide: false,
  };
}

const FOREIGN_LATIN = 11;
/** Follows long vowels only. */
const sharpS = (before: string): number =>
  /[aeoäöü]/i.test(before) ? 4.5 : /[iu]/i.test(before) ? 5.5 : FOREIGN_LATIN;
const isVowel = (letter: string): boolean => /[aeiouyêôơưâă]/i.test(letter);
/** A language that adds these letters to ASCII, most frequent first. */
function latin(letters: string, first = 4.5, step = 0.15): Language {
  const known = new Map([...letters].map((letter, rank) => [letter, first + step * rank]));
  return {
    letter: (character, before, kind) => {
      if (kind === 'mark') return (isVowel(before) ? known.get(character) : undefined) ?? UNHEARD_OF;
      if (character === 'ß') return known.get(character) === undefined ? FOREIGN_LATIN : sharpS(before);
      return kind === 'latin'
        ? (known.get(character) ?? known.get(character.toLowerCase()) ?? FOREIGN_LATIN)
        : undefined;
    },
    end: () => 0,
    signs: '–—…’‘“”«»°ºª¿¡·•£€§©®™²³½×',
    isWide: false,
  };
}

export const LANGUAGES = {
  simplifiedChinese: ideographic(ranks(SIMPLIFIED_HANZI, HAN_STEPS), SIMPLIFIED_WORDS, {
    kana: 9.5,
    hangul: UNHEARD_OF,
  }),
  traditionalChinese: ideographic(ranks(TRADITIONAL_HANZI, HAN_STEPS), TRADITIONAL_WORDS, {
    kana: 9.5,
    hangul: UNHEARD_OF,
  }),
  japanese,
  korean: ideographic(ranks(HANGUL, HANGUL_STEPS), KOREAN_WORDS, { kana: 10, hangul: 12.5 }),
  russian: cyrillic(RUSSIAN),
  ukrainian: cyrillic(UKRAINIAN),
  spanish: latin('óíáéñúü'),
  portuguese: latin('ãçáéíóêõâúôàü'),
  french: latin('éèàêçùâîôûëïœ'),
  german: latin('üäöß', 4.2, 0.1),
  nordic: latin('åäöøæéð'),
  italian: latin('àèéìòù'),
  polish: latin('łąężśóćńź'),
  czech: latin('íáéýčšřžěůúťďňľôäŕĺ'),
  hungarian: latin('áéöóőüíúű'),
  romanian: latin('ăîâșțşţ'),
  croatian: latin('čšžćđ'),
  turkish: latin('ışğüöçİ', 3.8),
  vietnamese: latin('\u0301\u0300\u0309\u0323\u0303đưôơêâăáàéèíìóòúùýãõ', 3.5, 0.1),
} satisfies Record<string, Language>;
