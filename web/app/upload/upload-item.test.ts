import { expect, test } from 'vitest';
import { currentOf, isAboutBytes, totalsOf, type UploadItem, type UploadState } from './upload-item.ts';

let id = 0;
function upload(state: UploadState, size: number, loaded = state === 'done' ? size : 0): UploadItem {
  id += 1;
  return {
    id,
    batch: 1,
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

test('canceled and skipped uploads do not count', () => {
  const totals = totalsOf([
    upload('done', 10),
    upload('cancelled', 10),
    upload('skipped', 10),
    upload('failed', 10),
  ]);
  expect(totals).toMatchObject({ count: 2, done: 1, failed: 1, pending: 0 });
});

test('two thousand small files are half done after a thousand, whatever the bytes', () => {
  const many = [
    ...Array.from({ length: 1000 }, () => upload('done', 100)),
    ...Array.from({ length: 1000 }, () => upload('queued', 100)),
  ];
  expect(totalsOf(many).part).toBeCloseTo(0.5, 2);
});

test('a large file moves the progress bar by its bytes', () => {
  expect(totalsOf([upload('uploading', 4 * 2 ** 30, 2 ** 30)]).part).toBeCloseTo(0.25, 2);
});

test('no time remains when everything is done', () => {
  expect(totalsOf([upload('done', 5), upload('done', 0)])).toMatchObject({ workLeft: 0, part: 1 });
});

test('uploads that finished before a batch started do not count in it', () => {
  const before = Array.from({ length: 23 }, () => ({ ...upload('done', 10), batch: 1 }));
  const now = [
    { ...upload('done', 10), batch: 2 },
    { ...upload('uploading', 10), batch: 2 },
    { ...upload('failed', 10), batch: 2 },
  ];
  expect(totalsOf(currentOf([...before, ...now]))).toMatchObject({ count: 3, done: 1, pending: 1 });
  expect(currentOf(before)).toEqual([]);
});

test('failed and paused uploads do not count as remaining', () => {
  const left = totalsOf([upload('uploading', 1000, 400)]).workLeft;
  const all = [upload('uploading', 1000, 400), upload('failed', 5000), upload('paused', 5000)];
  expect(totalsOf(all).workLeft).toBe(left);
});

test('the speed in bytes is shown for a large file, and not for three hundred small ones', () => {
  expect(isAboutBytes(totalsOf([upload('uploading', 200 * 2 ** 20, 2 ** 20)]))).toBe(true);
  expect(isAboutBytes(totalsOf(Array.from({ length: 300 }, () => upload('queued', 43))))).toBe(false);
});

test('an upload that waits for its file to be selected again counts as paused', () => {
  const totals = totalsOf([upload('waiting', 10), upload('paused', 10), upload('uploading', 10)]);
  expect(totals).toMatchObject({ count: 3, paused: 2, pending: 1 });
});
