import type { ApiCall } from '@bowerbird/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { ObjectFailure, objects } from './object-requests.ts';
import { createPartSizes } from './part/part-sizes.ts';
import { createResumeRecords } from './resume-records.ts';
import { ticket } from './testing/ticket.ts';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';

/** Names that are taken in the drive. */
let taken: string[];
/** Request bodies in flight, in the order in which they were sent; the test settles each of them. */
let bodies: PromiseWithResolvers<void>[];
let removed: string[];
let queue: UploadQueue;

beforeEach(() => {
  vi.restoreAllMocks();
  taken = [];
  bodies = [];
  removed = [];
  let tickets = 0;
  vi.spyOn(objects, 'putWhole').mockImplementation((_ticket, _body, signal) => {
    const body = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => body.reject(signal.reason as Error));
    bodies.push(body);
    return body.promise;
  });
  const call = (async (spec: { name: string }, input: { query?: { task_ids?: string } }) => {
    if (spec.name === 'drive.conflicts')
      return { taken: taken.map((name) => ({ name, kind: 'drive#folder' })) };
    if (spec.name === 'drive.create') {
      tickets += 1;
      return {
        file: { id: `node ${tickets}` },
        task: { id: `task ${tickets}` },
        resumable: { params: ticket },
      };
    }
    removed.push(input.query?.task_ids ?? '');
    return {};
  }) as unknown as ApiCall;
  queue = createUploadQueue({
    call,
    user: 'ann',
    records: createResumeRecords('ann', { getItem: () => null, setItem: () => {} }, () => Date.now()),
    freshKey: () => 'fresh',
    sleep: async () => {},
    online: async () => {},
    now: () => Date.now(),
    sizes: createPartSizes(() => Date.now()),
  });
});

const add = (names: readonly string[], answer: Parameters<UploadQueue['add']>[2] = async () => null) =>
  queue.add(
    { files: names.map((name) => ({ file: new File(['x'], name), folders: [] })), emptyFolders: [] },
    { id: 'root', name: 'Files' },
    answer,
  );
const states = () => queue.snapshot().items.map(({ state }) => state);
const idOf = (name: string) => queue.snapshot().items.find((item) => item.name === name)!.id;

test('a failed file can be resumed, and then completes', async () => {
  await add(['film.mkv']);
  await expect.poll(() => bodies.length).toBe(1);
  bodies[0]!.reject(new ObjectFailure(403, 'file_space_not_enough'));
  await expect.poll(states).toEqual(['failed']);
  expect(queue.snapshot().items[0]).toMatchObject({ error: 'file_space_not_enough' });
  queue.resume([idOf('film.mkv')]);
  await expect.poll(() => bodies.length).toBe(2);
  expect(queue.snapshot().items[0]).toMatchObject({ error: undefined });
  bodies[1]!.resolve();
  await expect.poll(states).toEqual(['done']);
});

test('no more files than the limit are sent at once, and the next one takes a freed place', async () => {
  queue.setAtOnce(2);
  await add(['a', 'b', 'c', 'd']);
  await expect.poll(() => bodies.length).toBe(2);
  await expect.poll(() => states().filter((state) => state === 'queued')).toHaveLength(2);
  bodies[0]!.resolve();
  await expect.poll(() => bodies.length).toBe(3);
  queue.setAtOnce(8);
  await expect.poll(() => bodies.length).toBe(4);
});

test('a paused file waits until it is resumed; a canceled one is not resumed, and its ticket is returned', async () => {
  await add(['a', 'b']);
  await expect.poll(() => bodies.length).toBe(2);
  queue.pause([idOf('a')]);
  queue.cancel([idOf('b')]);
  await expect.poll(states).toEqual(['paused', 'cancelled']);
  await expect.poll(() => removed.length).toBeGreaterThan(0);
  queue.resume([idOf('a'), idOf('b')]);
  await expect.poll(() => bodies.length).toBe(3);
  bodies[2]!.resolve();
  await expect.poll(states).toEqual(['done', 'cancelled']);
  queue.clearOver();
  expect(states()).toEqual([]);
});

test('dismissing the question about a taken name sends nothing, and a skipped file is not uploaded', async () => {
  taken = ['a'];
  await add(['a', 'b']);
  expect(queue.snapshot().items).toEqual([]);
  await add(['a', 'b'], async () => ({ choice: 'skip', forAll: false }));
  await expect.poll(() => bodies.length).toBe(1);
  expect(states()[0]).toBe('skipped');
});
