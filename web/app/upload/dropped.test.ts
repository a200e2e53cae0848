import { expect, test } from 'vitest';
import { droppedItems, pickedFiles } from './dropped.ts';

const fileEntry = (name: string) => ({
  isFile: true,
  name,
  file: (resolve: (file: File) => void) => resolve(new File([name], name)),
});

/** Folder whose reader returns `atOnce` entries at a time, and none at the end. */
const folderEntry = (name: string, children: readonly object[], atOnce = 100) => ({
  isFile: false,
  name,
  createReader() {
    let from = 0;
    return {
      readEntries(resolve: (some: readonly object[]) => void) {
        resolve(children.slice(from, (from += atOnce)));
      },
    };
  },
});

const drop = (...entries: readonly object[]) =>
  droppedItems({
    items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
  } as unknown as DataTransfer);

test('a dropped folder is read with everything below it, in however many batches', async () => {
  const photos = Array.from({ length: 250 }, (_, n) => fileEntry(`${n}.jpg`));
  const { files, emptyFolders } = await drop(
    fileEntry('alone.txt'),
    folderEntry('Trip', [folderEntry('Day 1', photos), fileEntry('plan.txt')]),
  );
  expect(files).toHaveLength(252);
  expect(files[0]).toMatchObject({ file: { name: 'alone.txt' }, folders: [] });
  expect(files[250]).toMatchObject({ file: { name: '249.jpg' }, folders: ['Trip', 'Day 1'] });
  expect(files[251]).toMatchObject({ file: { name: 'plan.txt' }, folders: ['Trip'] });
  expect(emptyFolders).toEqual([]);
});

test('an empty folder is kept', async () => {
  const { files, emptyFolders } = await drop(folderEntry('Trip', [folderEntry('Empty', [])]));
  expect(files).toEqual([]);
  expect(emptyFolders).toEqual([['Trip', 'Empty']]);
});

test('a folder picked with the button keeps the folders of its files', () => {
  const picked = [
    Object.assign(new File([''], 'a.jpg'), { webkitRelativePath: 'Trip/Day 1/a.jpg' }),
    Object.assign(new File([''], 'b.jpg'), { webkitRelativePath: '' }),
  ];
  expect(pickedFiles(picked).files.map(({ folders }) => folders)).toEqual([['Trip', 'Day 1'], []]);
});
