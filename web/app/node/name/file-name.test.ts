import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameParts } from './file-name.ts';

it('keeps every byte of any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (name) => {
      const { head, tail, extension } = nameParts(name, 'file');
      expect(head + tail + extension).toBe(name);
    }),
  );
});

it('separates the end of a long name and its extension', () => {
  expect(nameParts('debian-13.2.0-amd64-netinst.iso.torrent', 'file')).toEqual({
    head: 'debian-13.2.0-amd64-netin',
    tail: 'st.iso',
    extension: '.torrent',
  });
  expect(nameParts('Lease.pdf', 'file')).toEqual({ head: 'Lease', tail: '', extension: '.pdf' });
  expect(nameParts('Project v1.2', 'folder').extension).toBe('');
});

it('starts the end of a name without a space', () => {
  expect(nameParts('共有している資料の一覧 26年11月.txt', 'file')).toEqual({
    head: '共有している資料の一覧 ',
    tail: '26年11月',
    extension: '.txt',
  });
});

it('never splits a character', () => {
  const { tail } = nameParts('Holiday pictures 👩‍👩‍👧‍👦👩‍👩‍👧‍👦.jpg', 'file');
  expect(tail).toBe('res 👩‍👩‍👧‍👦👩‍👩‍👧‍👦');
});

it('keeps right-to-left names in one piece, so that none can show a false extension', () => {
  expect(nameParts('invoice-2026-\u202efdp.exe', 'file')).toEqual({
    head: 'invoice-2026-\u202efdp',
    tail: '',
    extension: '.exe',
  });
});
