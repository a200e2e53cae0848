import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameProblem } from '@bowerbird/contract';
import { hrefOf, readPath, readReference } from './dav-path.ts';

const HOSTS = ['drive.test', 'drive.test:8080'];

test('every name is decoded from its address byte for byte', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc
          .string({ unit: 'binary', minLength: 1, maxLength: 40 })
          .filter((name) => nameProblem(name) === undefined),
        { maxLength: 5 },
      ),
      fc.boolean(),
      (names, isFolder) => {
        expect(readPath(hrefOf('/dav', names, isFolder), 'drive.test').names).toEqual(names);
        expect(readPath(hrefOf('', names, isFolder), 'api-dav.drive.test').names).toEqual(names);
      },
    ),
  );
});

test('an encoded slash stays within its name, and no path leads upwards', () => {
  expect(readPath('/dav/a%2Fb/c', 'h').names).toEqual(['a/b', 'c']);
  for (const path of [
    '/dav/..',
    '/dav/a/../b',
    '/dav/%2e%2e/x',
    '/dav/a/%2E',
    '/dav/./a',
    '/dav/a#b',
    '/dav/%zz',
    '/dav/%ff',
  ])
    expect(() => readPath(path, 'h'), path).toThrow(expect.objectContaining({ status: 400 }));
});

test('unescaped bytes are read as UTF-8, and rejected if they are not valid', () => {
  const raw = (text: string, encoding: BufferEncoding = 'utf8') =>
    Buffer.from(text, encoding).toString('latin1');
  expect(readPath(raw('/dav/Überblick/日本 🐦'), 'h').names).toEqual(['Überblick', '日本 🐦']);
  expect(readReference(raw('http://drive.test/dav/ä%20b'), HOSTS).names).toEqual(['ä b']);
  for (const text of [raw('/dav/ä', 'latin1'), '/dav/\u00c3', '/dav/a\u00e4b%20'])
    expect(() => readReference(text, HOSTS), text).toThrow(expect.objectContaining({ status: 400 }));
});

test('a destination is a path or an address on the same host', () => {
  const names = (text: string) => readReference(text, HOSTS).names;
  expect(names('/dav/a%20b')).toEqual(['a b']);
  expect(names('http://drive.test/dav/x/')).toEqual(['x']);
  expect(names('HTTPS://Drive.Test:443/dav/x')).toEqual(['x']);
  expect(names('http://drive.test:8080/dav')).toEqual([]);
  expect(names('http://ann:secret@drive.test/dav/x?y')).toEqual(['x']);
  for (const text of [
    'http://evil.test/dav/x',
    'http://drive.test.evil.test/dav/x',
    'http://drive.test@evil.test/dav/x',
    'http://drive.test/elsewhere',
    '/davx/y',
    '/',
  ])
    expect(() => names(text), text).toThrow(expect.objectContaining({ status: 502 }));
  for (const text of ['', 'x', '//evil.test/dav/x', 'ftp://drive.test/dav/x', 'http://', '\\\\h\\dav'])
    expect(() => names(text), text).toThrow(expect.objectContaining({ status: 400 }));
});
