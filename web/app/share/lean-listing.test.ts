import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { File } from '@bowerbird/contract';
import { leanListing, wholeListing } from './lean-listing.ts';

const FILE: File = {
  kind: 'drive#file',
  id: 'one',
  parent_id: '',
  name: 'one.txt',
  user_id: 'ann',
  size: '1',
  revision: '0',
  file_extension: '.txt',
  mime_type: 'text/plain',
  created_time: '2026-01-01T00:00:00.000+00:00',
  modified_time: '2026-01-01T00:00:00.000+00:00',
  user_modified_time: '2026-01-01T00:00:00.000+00:00',
  icon_link: '',
  thumbnail_link: '',
  md5_checksum: '',
  hash: 'F0',
  links: {},
  phase: 'PHASE_TYPE_COMPLETE',
  audit: { status: 'STATUS_OK', message: 'Normal resource', title: '' },
  medias: [],
  trashed: false,
  delete_time: '',
  original_url: '',
  params: {},
  original_file_index: 0,
  space: '',
  apps: [],
  writable: false,
  folder_type: '',
  collection: '',
  sort_name: '',
  starred: false,
  tags: [],
  spell_name: [],
  reference_events: [],
  reference_resource: null,
  file_category: 'TEXT',
  web_content_link: '',
};

const listing = (file: File) => ({
  folderId: '',
  ancestors: [],
  first: { files: [file], next_page_token: '' },
});

test('usual values are left out, and only those', () => {
  const [lean] = leanListing(listing({ ...FILE, md5_checksum: 'aa' })).first.files;
  expect(lean).not.toHaveProperty('audit');
  expect(lean).toMatchObject({ id: 'one', md5_checksum: 'aa' });
});

test('what thumbnail links have in common is the same text for all files', () => {
  const link = (id: string, size: string) =>
    `/thumbnail/?fid=${id}&f=${size}&g=F0&size=SIZE_SMALL&sign=${id}`;
  const common = [
    { id: 'one', size: '1' },
    { id: 'two', size: '22' },
  ].map(({ id, size }) => {
    const [lean] = leanListing(listing({ ...FILE, id, size, thumbnail_link: link(id, size) })).first.files;
    expect(lean!.thumbnail![1]).toBe(id);
    return lean!.thumbnail![0];
  });
  expect(common[0]).toBe(common[1]);
});

test('a listing is the same after it was sent, whatever its values', () => {
  const other = fc.record(
    {
      kind: fc.constantFrom('drive#file' as const, 'drive#folder' as const),
      audit: fc.constantFrom(null, FILE.audit, {
        status: 'STATUS_SENSITIVE_RESOURCE',
        message: 'Sensitive resource',
        title: '',
      }),
      params: fc.dictionary(fc.string(), fc.string()),
      folder_type: fc.constantFrom('', 'NORMAL'),
      created_time: fc.constantFrom(FILE.modified_time, '2025-01-01T00:00:00.000+00:00'),
      thumbnail_link: fc.oneof(
        fc.string().filter((text) => !text.includes('fid=*')),
        fc.string().map((text) => `/thumbnail/?fid=one&f=1&g=F0&s=${encodeURIComponent(text)}&sign=a-b`),
      ),
      writable: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(other, (values) => {
      const whole = listing({ ...FILE, ...values } as File);
      expect(wholeListing(JSON.parse(JSON.stringify(leanListing(whole))))).toEqual(whole);
    }),
  );
});
