import type { ApiCall } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { createTargetFolders } from './target-folders.ts';

/** Drive that creates the requested folders; `refuse` fails the next request. */
function drive(existing: Readonly<Record<string, string>> = {}) {
  const made: string[] = [];
  const state = { refuse: false };
  const call = (_endpoint: unknown, input: { body: Record<string, unknown> }): Promise<unknown> => {
    if (state.refuse) {
      state.refuse = false;
      return Promise.reject(new Error('offline'));
    }
    const { names, parent_id: parent, name } = input.body;
    if (Array.isArray(names)) {
      const id = existing[`${String(parent)}/${String(names[0])}`];
      return Promise.resolve({ taken: id === undefined ? [] : [{ id, kind: 'drive#folder' }] });
    }
    const path = `${String(parent)}/${String(name)}`;
    made.push(path);
    return Promise.resolve({ file: { id: path } });
  };
  let keys = 0;
  const folders = createTargetFolders(call as unknown as ApiCall, () => `key ${(keys += 1)}`);
  return { folders, made, state };
}

test('a folder is created once, however many files need it at the same time', async () => {
  const { folders, made } = drive();
  const asked = [
    ['Trip', 'Day 1'],
    ['Trip', 'Day 1'],
    ['Trip', 'Day 2'],
  ];
  const ids = await Promise.all(asked.map((path) => folders.ensure('top', path, false)));
  expect(ids).toEqual(['top/Trip/Day 1', 'top/Trip/Day 1', 'top/Trip/Day 2']);
  expect(made).toEqual(['top/Trip', 'top/Trip/Day 1', 'top/Trip/Day 2']);
});

test('a folder that could not be created is tried again with the next file', async () => {
  const { folders, made, state } = drive();
  state.refuse = true;
  await expect(folders.ensure('top', ['Trip'], false)).rejects.toThrow('offline');
  expect(await folders.ensure('top', ['Trip'], false)).toBe('top/Trip');
  expect(made).toEqual(['top/Trip']);
});

test('an existing folder is used only when folders are merged', async () => {
  const { folders, made } = drive({ 'top/Trip': 'old' });
  expect(await folders.ensure('top', ['Trip'], true)).toBe('old');
  expect(await folders.ensure('top', ['Trip'], false)).toBe('top/Trip');
  expect(made).toEqual(['top/Trip']);
});
