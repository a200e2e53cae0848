import { expect, test } from 'vitest';
import { totalsOf, type UploadItem, type UploadState } from './upload-item.ts';

let id = 0;
function upload(state: UploadState, size: number, loaded = state === 'done' ? size : 0): UploadItem {
  id += 1;
  return {
    id,
    name: `${id}`,
    size,
    targetId: '',
    targetName: 'Files',
    folders: [],
    state,
    loaded,
    error: undefined,
    errorText: undefined,
    nodeId: undefined,
    folderId: '',
  };
}

test('cancelled and skipped uploads count for nothing', () => {
  const totals = totalsOf([
    upload('done', 10),
    upload('cancelled', 10),
    upload('skipped', 10),
    upload('failed', 10),
  ]);
  expect(totals).toMatchObject({ count: 2, done: 1, failed: 1, pending: 0 });
});

test('two thousand small files are half done when a thousand are, whatever the few bytes say', () => {
  const many = [
    ...Array.from({ length: 1000 }, () => upload('done', 100)),
    ...Array.from({ length: 1000 }, () => upload('queued', 100)),
  ];
  expect(totalsOf(many).part).toBeCloseTo(0.5, 2);
});

test('a large file moves the bar by its bytes', () => {
  expect(totalsOf([upload('uploading', 4 * 2 ** 30, 2 ** 30)]).part).toBeCloseTo(0.25, 2);
});

test('nothing is left when all is done', () => {
  expect(totalsOf([upload('done', 5), upload('done', 0)])).toMatchObject({ workLeft: 0, part: 1 });
});
