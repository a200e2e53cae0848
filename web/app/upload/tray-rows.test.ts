import { describe, expect, it } from 'vitest';
import { trayRows } from './tray-rows.ts';
import type { UploadItem, UploadState } from './upload-item.ts';

let id = 0;
function upload(name: string, state: UploadState, folders: string[] = [], batch = 1): UploadItem {
  id += 1;
  return {
    id,
    batch,
    name,
    size: 10,
    targetId: '',
    targetName: 'Files',
    folders,
    state,
    loaded: state === 'done' ? 10 : 0,
    error: undefined,
    errorText: undefined,
    nodeId: undefined,
    folderId: '',
  };
}

const namesOf = (items: readonly UploadItem[], opened: readonly string[] = []): string[] =>
  trayRows(items, new Set(opened)).map((row) => (row.kind === 'file' ? row.item.name : `${row.group.name}/`));

describe('the upload tray', () => {
  it('shows running uploads first, then those that need attention, then waiting ones, then finished ones', () => {
    const items = [
      upload('old', 'done'),
      upload('new', 'done'),
      upload('left out', 'skipped'),
      upload('next', 'queued'),
      upload('held', 'paused'),
      upload('broken', 'failed'),
      upload('running', 'uploading'),
    ];
    expect(namesOf(items)).toEqual(['running', 'broken', 'held', 'next', 'new', 'old', 'left out']);
  });

  it('shows a folder as one row, whatever it contains', () => {
    const files = Array.from({ length: 300 }, (_, at) =>
      upload(`${at}`, at < 29 ? 'done' : at < 34 ? 'uploading' : 'queued', ['Trip', `Day ${at % 3}`]),
    );
    const rows = trayRows([upload('before', 'done', [], 0), ...files], new Set());
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      kind: 'folder',
      group: { name: 'Trip', state: 'uploading', totals: { count: 300, done: 29, pending: 271 } },
    });
  });

  it('expands a folder to its files, failed ones before finished ones', () => {
    const items = [upload('a', 'done', ['Trip']), upload('b', 'failed', ['Trip'])];
    const [row] = trayRows(items, new Set());
    expect(row).toMatchObject({ group: { state: 'failed' } });
    expect(namesOf(items, [row!.key])).toEqual(['Trip/', 'b', 'a']);
  });

  it('separates folders of the same name that were added one after the other', () => {
    expect(namesOf([upload('a', 'done', ['Trip'], 1), upload('a', 'uploading', ['Trip'], 2)])).toEqual([
      'Trip/',
      'Trip/',
    ]);
  });
});
