import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStrictly, encodingLabelled } from './encodings.ts';
import { legacyReader, legacyText } from './legacy-text.ts';
import { encodeStrictly } from './encode.ts';

/** Realistic file names by language, with the encodings that programs used before Unicode. */
const CORPUS: readonly (readonly [
  language: string,
  encodings: readonly string[],
  names: readonly string[],
])[] = [
  [
    'Chinese (China)',
    ['gb18030'],
    [
      '中文.zip',
      '你好.txt',
      '新建文本文档.txt',
      '新建文件夹',
      '说明.txt',
      '使用说明.txt',
      '必看.txt',
      '目录.doc',
      '简历.docx',
      '2019年度工作总结.doc',
      '毕业论文（终稿）.doc',
      '周杰伦 - 青花瓷.mp3',
      '邓丽君-月亮代表我的心.mp3',
      '红楼梦.txt',
      '三国演义.pdf',
      '课程表.xls',
      '照片',
      '合同.pdf',
      '电影.mkv',
      '第01集.mp4',
      '西游记 第3回.txt',
      '会议纪要.docx',
      '测试.txt',
      '资料/图片/风景.jpg',
      '安装程序.exe',
      '软件破解版.rar',
      '生化危机.avi',
      '大话西游之月光宝盒.rmvb',
      '李白诗选.txt',
      '发票.pdf',
      '素材.psd',
      '复件 报告.doc',
      '字幕.srt',
      '数据库设计.sql',
      '鬼吹灯.txt',
      '读我.txt',
      '老照片.jpg',
      '图片1.jpg',
    ],
  ],
  [
    'Chinese (Taiwan)',
    ['big5'],
    [
      '中文.zip',
      '你好.txt',
      '新增資料夾',
      '說明.txt',
      '履歷表.doc',
      '畢業論文.pdf',
      '會議記錄.docx',
      '照片.jpg',
      '測試.txt',
      '電影字幕.srt',
      '周杰倫-青花瓷.mp3',
      '第01集.avi',
      '報告書.ppt',
      '行程表.xls',
      '功課.doc',
      '使用手冊.pdf',
      '封面.jpg',
      '檔案清單.txt',
      '台北旅遊.jpg',
      '紅樓夢.txt',
      '遊戲攻略.txt',
      '發票收據.pdf',
      '許功蓋.txt',
      '下載/圖片/風景.jpg',
    ],
  ],
  [
    'Japanese',
    ['shift_jis', 'euc-jp'],
    [
      '日本語.txt',
      '会議.doc',
      '新しいフォルダ',
      '新しいフォルダー (2)',
      '資料.pdf',
      '写真.jpg',
      'はじめにお読みください.txt',
      'テスト.txt',
      '表示.html',
      'ソース.zip',
      '議事録_2019年度.doc',
      '第01話 旅立ち.mkv',
      '請求書.xlsx',
      '履歴書.doc',
      '取扱説明書.pdf',
      '東京タワー.jpg',
      '卒業論文.tex',
      '予定表.xls',
      '宇多田ヒカル - 花束を君に.mp3',
      'コピー ～ 報告書.doc',
      'ドラゴンボール 第1巻.zip',
      '千と千尋の神隠し.avi',
      '読んでね.txt',
      '見積書（最終版）.pdf',
      '歌詞カード.txt',
      '桜.png',
      '桜の花.png',
      '能登半島.jpg',
    ],
  ],
  [
    'Korean',
    ['euc-kr'],
    [
      '전자책',
      '새 폴더',
      '새 텍스트 문서.txt',
      '한글.hwp',
      '이력서.hwp',
      '보고서.doc',
      '회의록.hwp',
      '사진.jpg',
      '노래.mp3',
      '영화.avi',
      '자막.smi',
      '무한도전 1회.avi',
      '졸업 논문.hwp',
      '계획서_최종.hwp',
      '설명서.pdf',
      '여행 사진/제주도.jpg',
      '아이유 - 좋은 날.mp3',
      '읽어주세요.txt',
      '드라마.zip',
      '세금계산서.pdf',
      '서울.txt',
      '우리집.jpg',
      '똠방각하.avi',
      '컴퓨터 일반.ppt',
      '기말고사.hwp',
    ],
  ],
  [
    'Russian',
    ['ibm866', 'windows-1251', 'koi8-r'],
    [
      'Новая папка',
      'Новая папка (2).txt',
      'Документ.doc',
      'ДОКУМЕНТ.DOC',
      'Отчёт за 2019 год.xls',
      'Фото',
      'Музыка/Кино - Группа крови.mp3',
      'Прочти меня.txt',
      'реферат.doc',
      'Диплом.docx',
      'Письмо.rtf',
      'Копия договора.pdf',
      'Ведьмак.rar',
      'Лето 2007',
      'письма.txt',
      'сертификат.pdf',
      'Смета.xls',
      'Расписание.xlsx',
      'Война и мир.fb2',
      'Инструкция по установке.txt',
      'мой кот.jpg',
      'ЧИТАТЬ.TXT',
      'Бухгалтерия',
      'Приказ №5.doc',
      'Ёлка.jpg',
      'схема.dwg',
      'Список литературы.doc',
      'Чек.pdf',
    ],
  ],
  [
    'Ukrainian',
    ['windows-1251', 'koi8-u', 'cp1125'],
    [
      'Нова папка',
      'Документ.doc',
      'Звіт за рік.xls',
      'Читати.txt',
      'Лист.rtf',
      'Договір оренди.pdf',
      'Світлини',
      'Пісні.mp3',
      'Їжак.jpg',
      'Українська мова.doc',
      'Київ.jpg',
      'Реферат з історії.docx',
      'Кобзар.txt',
      'Розклад занять.xls',
      'Ґрунт.pdf',
      'Резюме.doc',
    ],
  ],
  [
    'Spanish',
    ['windows-1252', 'cp850', 'cp437'],
    [
      'Canción del año.txt',
      'niño.jpg',
      'Diseño.pdf',
      'Presentación.ppt',
      'español.doc',
      'Información básica.txt',
      'cumpleaños.jpg',
      'Música/Corazón.mp3',
      'pingüino.png',
      'Código.zip',
      'Mañana.mp3',
      'árbol.jpg',
      'Currículum.doc',
      'El último día.avi',
      '¿Qué?.txt',
    ],
  ],
  [
    'Portuguese',
    ['windows-1252', 'cp850'],
    [
      'Canção.mp3',
      'São Paulo.jpg',
      'Relatório.doc',
      'ação.avi',
      'Instruções.txt',
      'currículo.pdf',
      'João.jpg',
      'Orçamento.xls',
      'férias.zip',
      'Educação Física.ppt',
      'você.txt',
      'Coração.mp3',
      'avô e avó.jpg',
      'À tarde.txt',
      'Maçã.png',
    ],
  ],
  [
    'English, Indonesian, Malay',
    ['windows-1252', 'cp850'],
    ['Résumé.doc', 'Café menu.pdf', 'naïve.txt', 'Beyoncé - Halo.mp3', 'Sate à la carte.txt', 'Pokémon.zip'],
  ],
  [
    'English on Windows',
    ['windows-1252'],
    ['Don’t stop.mp3', 'Part 1 – Introduction.pdf', '“Heroes”.mp3', 'Wait….txt'],
  ],
  [
    'German',
    ['windows-1252', 'cp850', 'cp437'],
    [
      'broschüre.pdf',
      'Ä.txt',
      'Übersicht.doc',
      'Größe.txt',
      'pläne.txt',
      'Straße.jpg',
      'schöne Grüße.txt',
      'ÖFFNUNGSZEITEN.TXT',
      'Müller.doc',
      'für.txt',
    ],
  ],
  [
    'French and others of Western Europe',
    ['windows-1252', 'cp850'],
    [
      'été.jpg',
      'Reçu.pdf',
      'Élève.doc',
      'forêt.png',
      'smörgåsbord.txt',
      'blåbær.txt',
      'perché.doc',
      'À lire.txt',
      'Ångström.pdf',
    ],
  ],
  [
    'Polish',
    ['windows-1250', 'cp852'],
    ['Zażółć gęślą jaźń.txt', 'Święta.jpg', 'książka.pdf', 'zdjęcia.zip', 'Łódź.jpg'],
  ],
  [
    'Czech',
    ['windows-1250', 'cp852'],
    [
      'Příliš žluťoučký kůň.txt',
      'Smlouva o nájmu bytu č. 5 – příloha.doc',
      'životopis_děkan.doc',
      'účetní závěrka.xls',
    ],
  ],
  ['Turkish', ['windows-1254'], ['Türkçe.doc', 'Değişiklik.txt', 'şarkı.mp3', 'İstanbul fotoğrafları.zip']],
  ['Vietnamese', ['windows-1258'], ['Tiếng Việt.doc', 'Bài hát được yêu thích.mp3', 'Hướng dẫn sử dụng.txt']],
];

/** On their own, these names reveal too little, or look like another language: the names beside them decide. */
const SHORT = new Set([
  '鬼吹灯.txt',
  '桜.png',
  'Їжак.jpg',
  'Ґрунт.pdf',
  'Wait….txt',
  'zdjęcia.zip',
  'książka.pdf',
]);

const cases = CORPUS.flatMap(([language, encodings, names]) =>
  encodings.map((encoding) => ({
    language,
    encoding,
    written: names.flatMap((name) => {
      const bytes = encodeStrictly(name, encoding);
      return bytes ? [{ name: name.normalize('NFC'), bytes }] : [];
    }),
  })),
);

test.each(cases)('a single name in $language is decoded from $encoding', ({ written }) => {
  const alone = written.filter(({ name }) => !SHORT.has(name));
  expect(alone.map(({ bytes }) => legacyText(bytes).normalize('NFC'))).toEqual(alone.map(({ name }) => name));
});

test.each(cases)('names in $language are decoded from $encoding together', ({ written }) => {
  const read = legacyReader(written.map(({ bytes }) => bytes));
  expect(written.map(({ bytes }) => read(bytes).normalize('NFC'))).toEqual(written.map(({ name }) => name));
});

test.each([
  '中文 – Ångström.txt',
  'Ελλάδα.txt',
  'שלום.txt',
  'مرحبا.txt',
  'ไทย.txt',
  '½ Ω.txt',
  'Ω.txt',
  'é.txt',
  'Ä.txt',
  'я.txt',
  'Łódź.txt',
  'Ģ.txt',
  '🐦.txt',
  'naïve.txt',
])('%s in UTF-8 stays unchanged', (name) => {
  expect(legacyText(Buffer.from(name))).toBe(name);
  expect(legacyReader([Buffer.from(name), encodeStrictly('中文.zip', 'gb18030')!])(Buffer.from(name))).toBe(
    name,
  );
});

test('a declared encoding is used if it fits all names', () => {
  const names = ['Übung', 'Ärger'].map((name) => encodeStrictly(name, 'windows-1252')!);
  expect(names.map(legacyReader(names, 'windows-1251'))).toEqual(['Ьbung', 'Дrger']);
  expect(names.map(legacyReader(names, 'utf-16le'))).toEqual(['Übung', 'Ärger']);
  expect(names.map(legacyReader(names, 'klingon'))).toEqual(['Übung', 'Ärger']);
  const chinese = encodeStrictly('目录', 'gb18030')!;
  expect(legacyText(chinese, 'gbk')).toBe('目录');
  expect(legacyText(Buffer.from('目录'), 'utf-8')).toBe('目录');
});

test.each([
  ['GBK', 'gb18030'],
  ['936', 'gb18030'],
  ['cp936', 'gb18030'],
  ['CP949', 'euc-kr'],
  ['ms950', 'big5'],
  ['x-sjis', 'shift_jis'],
  ['windows-31j', 'shift_jis'],
  ['cp437', 'cp437'],
  ['IBM850', 'cp850'],
  ['latin1', 'windows-1252'],
  ['KOI8-R', 'koi8-r'],
  ['65001', 'utf-8'],
  ['Windows-1251', 'windows-1251'],
])('the label %s selects %s', (label, encoding) => {
  const known = encodingLabelled(label);
  expect(known === 'gbk' ? 'gb18030' : known).toBe(encoding);
});

test('names truncated within a character remain distinct', () => {
  const whole = encodeStrictly('新建文本文档', 'gb18030')!;
  const names = [whole.subarray(0, 11), Uint8Array.of(...whole.subarray(0, 10), 0xb5 ^ 0x08), whole];
  const read = names.map(legacyReader(names));
  expect(read[2]).toBe('新建文本文档');
  expect(new Set(read)).toHaveProperty('size', 3);
  expect(read[0]).toMatch(/^新建文本文%[0-9A-F]{2}$/);
});

test.each([
  ['a byte that only fits another encoding', ['800000', '81', 'fc', '8000']],
  ['UTF-8 beside another encoding', ['c3bc', 'fc', 'e4', 'f6']],
  ['a name that looks like an escaped one', ['800000', '253831', '81', 'fc', '8000']],
])('different names remain distinct: %s', (_, written) => {
  const names = written.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
  const read = legacyReader(names);
  expect(new Set(names.map(read))).toHaveProperty('size', names.length);
  expect(names.map(read)).toEqual(names.map(read));
});

test('any bytes are decoded, and different names remain distinct', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uint8Array({ minLength: 1, maxLength: 12 }), { maxLength: 6, selector: String }),
      (names) => {
        const read = names.map(legacyReader(names));
        expect(new Set(read)).toHaveProperty('size', names.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('no encoding decodes one byte to two characters', () => {
  for (const encoding of ['cp437', 'cp850', 'cp852', 'cp860', 'cp1125']) {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(new Set(decodeStrictly(all, encoding))).toHaveProperty('size', 256);
  }
});
