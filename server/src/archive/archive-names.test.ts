import { expect, test } from 'vitest';
import { nameDecoder, segmentsOf } from './archive-names.ts';

const LETTERS = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя';
const cp866 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((letter) => {
      const at = LETTERS.indexOf(letter);
      return at < 0 ? letter.charCodeAt(0) : at < 48 ? 0x80 + at : 0xe0 + at - 48;
    }),
  );
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((letter) => {
      const at = LETTERS.indexOf(letter);
      return at < 0 ? letter.charCodeAt(0) : 0xc0 + at;
    }),
  );
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test.each([
  ['GBK', hex('cec4 bcfe 2e74 7874'), '文件.txt'],
  ['GBK, of two characters that are capitals elsewhere', hex('d6d0 cec4'), '中文'],
  ['Shift-JIS', hex('93fa 967b 8cea 2e74 7874'), '日本語.txt'],
  ['Shift-JIS, with a backslash in the second byte', hex('8365 8358 8367 955c 8ea6'), 'テスト表示'],
  ['Shift-JIS, of two characters', hex('89ef 8b63'), '会議'],
  ['code page 866', cp866('Новая папка (2).txt'), 'Новая папка (2).txt'],
  ['code page 866, in capitals', cp866('ДОКУМЕНТ.DOC'), 'ДОКУМЕНТ.DOC'],
  ['Windows-1251', windows1251('Документ.doc'), 'Документ.doc'],
  ['Windows-1252', hex('706c e46e 652e 7478 74'), 'pläne.txt'],
  ['UTF-8', Buffer.from('pläne 文件.txt'), 'pläne 文件.txt'],
])('a name in %s is read', (_, raw, text) => {
  expect(nameDecoder([raw])(raw)).toBe(text);
});

test('names of one archive are read in one encoding', () => {
  const names = [hex('8365 8358 8367'), hex('93fa 967b'), Buffer.from('plain.txt')];
  const decode = nameDecoder(names);
  expect(names.map(decode)).toEqual(['テスト', '日本', 'plain.txt']);
});

test('what leads elsewhere is left out of a name', () => {
  expect(segmentsOf('../a/./b\\..\\c//d/')).toEqual(['a', 'b', 'c', 'd']);
  expect(segmentsOf('C:\\windows\\x')).toEqual(['windows', 'x']);
  expect(segmentsOf('/etc/passwd')).toEqual(['etc', 'passwd']);
  expect(segmentsOf('..')).toEqual([]);
});
