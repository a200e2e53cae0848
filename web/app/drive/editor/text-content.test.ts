import { describe, expect, test } from 'vitest';
import { encodeStrictly } from '@bowerbird/contract';
import { openText, PLAIN, writeText } from './text-content.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a text that is opened and saved', () => {
  test.each([
    ['UTF-8', utf8('Grüße\nこんにちは\n')],
    ['UTF-8 with a mark', Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8('a\r\nb\r\n')])],
    ['UTF-16 with a mark', Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0, 0x62, 0])],
    ['UTF-16 in the other order', Uint8Array.from([0xfe, 0xff, 0, 0x61, 0, 0x0a, 0, 0x62])],
    ['Windows line endings', utf8('one\r\ntwo\r\n')],
    ['line endings of old Macs', utf8('one\rtwo\r')],
    ['Shift JIS', encodeStrictly('これは日本語の文章です。\r\nよろしくお願いします。\r\n', 'shift_jis')!],
    ['Cyrillic in Windows-1251', encodeStrictly('Привет, как дела? Это обычный текст.\n', 'windows-1251')!],
    ['nothing', new Uint8Array()],
  ])('has the same bytes: %s', (_, bytes) => {
    const opened = openText(bytes)!;
    expect(opened.isExact).toBe(true);
    expect(opened.text).not.toContain('\r');
    expect(writeText(opened.text, opened.form)).toEqual(bytes);
  });

  test('keeps its form when it is changed', () => {
    const { text, form } = openText(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8('a\r\n')]))!;
    expect(writeText(`${text}b\n`, form)).toEqual(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8('a\r\nb\r\n')]));
  });

  test('is refused in an encoding that lacks one of its characters, and says so before if it can not stay the same', () => {
    const bytes = encodeStrictly('Привет, как дела? Это обычный текст.\n', 'windows-1251')!;
    const { text, form } = openText(bytes)!;
    expect(form.encoding).toBe('windows-1251');
    expect(writeText(`${text}日本`, form)).toBeUndefined();
    expect(writeText(`${text}日本`, PLAIN)).toEqual(utf8(`${text}日本`));
    expect(openText(utf8('one\r\ntwo\r\nthree\n'))).toMatchObject({ isExact: false });
    expect(openText(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 1, 2, 3]))).toBeUndefined();
  });
});
