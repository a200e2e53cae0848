import { ApiFailure, type driveApi, type ApiCall, type InputOf, type ReplyOf } from '@bowerbird/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { objects } from './object-requests.ts';
import { createPartSizes } from './part/part-sizes.ts';
import { createResumeRecords } from './resume-records.ts';
import { ticket } from './testing/ticket.ts';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';

type Input = InputOf<typeof driveApi.uploadMany>;
type Reply = ReplyOf<typeof driveApi.uploadMany>;

interface Request {
  readonly key: string | undefined;
  readonly names: readonly string[];
  readonly bytes: Blob;
  readonly signal: AbortSignal | undefined;
  readonly reply: PromiseWithResolvers<Reply>;
}

/** Requests with many files, in the order in which they were sent; the test answers each of them. */
let requests: Request[];
let removed: string[];
let alone: string[];
let folders: (name: string) => { id: string };
let queue: UploadQueue;

beforeEach(() => {
  vi.restoreAllMocks();
  requests = [];
  removed = [];
  alone = [];
  folders = (name) => ({ id: `folder ${name}` });
  let keys = 0;
  vi.spyOn(objects, 'putWhole').mockResolvedValue();
  const call = (async (
    spec: { name: string },
    input: Input & { body: { kind?: string; name: string }; params: { id: string } },
    options: { signal?: AbortSignal; idempotencyKey?: string } = {},
  ) => {
    if (spec.name === 'drive.conflicts') return { taken: [] };
    if (spec.name === 'drive.uploadMany') {
      const reply = Promise.withResolvers<Reply>();
      options.signal?.addEventListener('abort', () => reply.reject(options.signal!.reason as Error));
      const names = input.body.files.map(({ name }) => name);
      requests.push({
        key: options.idempotencyKey,
        names,
        bytes: input.bytes,
        signal: options.signal,
        reply,
      });
      return reply.promise;
    }
    if (spec.name === 'drive.remove') return removed.push(input.params.id);
    if (input.body.kind === 'drive#folder') return { file: folders(input.body.name) };
    alone.push(input.body.name);
    return { file: { id: `node ${input.body.name}` }, task: { id: '' }, resumable: { params: ticket } };
  }) as unknown as ApiCall;
  queue = createUploadQueue({
    call,
    user: 'ann',
    records: createResumeRecords('ann', { getItem: () => null, setItem: () => {} }, () => Date.now()),
    freshKey: () => `key ${(keys += 1)}`,
    sleep: async () => {},
    online: async () => {},
    now: () => Date.now(),
    sizes: createPartSizes(() => Date.now()),
  });
});

const target = { id: 'root', name: 'Files' };
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}.txt`);
const fileOf = (name: string, size = 3): File => new File(['x'.repeat(size)], name);
const add = (files: readonly File[], path: readonly string[] = []) =>
  queue.add(
    { files: files.map((file) => ({ file, folders: path })), emptyFolders: [] },
    target,
    async () => null,
  );
const statesOf = () => [...new Set(queue.snapshot().items.map(({ state }) => state))].toSorted();
const item = (name: string) => queue.snapshot().items.find((one) => one.name === name)!;
const ids = () => queue.snapshot().items.map(({ id }) => id);

const succeed = ({ names, reply }: Request, errors: Readonly<Record<string, string>> = {}): void =>
  reply.resolve({
    results: names.map((name) => {
      const error = errors[name] ?? '';
      return { id: error ? '' : `node ${name}`, name, error, error_description: error && `told ${error}` };
    }),
  });

test('many small files are sent in few requests, and a few are sent one by one', async () => {
  const landed: string[] = [];
  queue.onLanded((folder) => landed.push(folder));
  await add(numbered(120).map((name) => fileOf(name)));
  await expect.poll(() => requests.length).toBe(2);
  expect(requests.map(({ names }) => names.length)).toEqual([50, 50]);
  expect(requests[0]!.names.slice(0, 3)).toEqual(['0.txt', '1.txt', '2.txt']);
  expect(await requests[0]!.bytes.text()).toBe('x'.repeat(150));
  succeed(requests[1]!);
  await expect.poll(() => requests.length).toBe(3);
  for (const request of [requests[0]!, requests[2]!]) succeed(request);
  await expect.poll(statesOf).toEqual(['done']);
  expect(item('119.txt')).toMatchObject({ nodeId: 'node 119.txt', loaded: 3, folderId: 'root' });
  expect(queue.snapshot().totals).toMatchObject({ count: 120, done: 120, loaded: 360, part: 1 });
  expect(new Set(requests.map(({ key }) => key)).size).toBe(3);
  expect(landed).toContain('root');
  expect(alone).toEqual([]);

  await add(numbered(5).map((name) => fileOf(name)));
  await expect.poll(() => alone.length).toBe(5);
  expect(requests).toHaveLength(3);
});

test('a request stays below a mebibyte, and large files are sent alone', async () => {
  const small = numbered(12).map((name) => fileOf(name, 200_000));
  await add([fileOf('large.bin', 300_000), ...small]);
  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]!.names).toHaveLength(4);
  await expect.poll(() => alone).toContain('large.bin');
});

test('files of different folders are sent together, each into its own', async () => {
  await Promise.all(
    ['One', 'Two'].map((name) =>
      add(
        numbered(10).map((file) => fileOf(file)),
        [name],
      ),
    ),
  );
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  for (const request of requests) succeed(request);
  await expect.poll(statesOf).toEqual(['done']);
  expect(new Set(queue.snapshot().items.map(({ folderId }) => folderId))).toEqual(
    new Set(['folder One', 'folder Two']),
  );
});

test('a refused file fails with its error, and can be retried', async () => {
  await add(numbered(10).map((name) => fileOf(name)));
  await expect.poll(() => requests.length).toBe(1);
  succeed(requests[0]!, { '4.txt': 'file_space_not_enough' });
  await expect.poll(statesOf).toEqual(['done', 'failed']);
  expect(item('4.txt')).toMatchObject({
    error: 'file_space_not_enough',
    errorText: 'told file_space_not_enough',
  });
  queue.resume([item('4.txt').id]);
  await expect.poll(statesOf).toEqual(['done']);
  expect(alone).toEqual(['4.txt']);
});

test('a file that can’t be read fails alone', async () => {
  const gone = fileOf('gone.txt');
  vi.spyOn(gone, 'arrayBuffer').mockRejectedValue(new DOMException('', 'NotFoundError'));
  await add([...numbered(9).map((name) => fileOf(name)), gone]);
  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]!.names).toEqual(numbered(9));
  succeed(requests[0]!);
  await expect.poll(statesOf).toEqual(['done', 'failed']);
  expect(item('gone.txt')).toMatchObject({ error: 'upload_size_mismatch' });
});

test('a folder that can’t be created fails its own files only', async () => {
  folders = (name) => {
    if (name === 'Bad') throw new ApiFailure('file_not_found');
    return { id: name };
  };
  await add([fileOf('lost.txt')], ['Bad']);
  await expect.poll(statesOf).toEqual(['failed']);
  queue.resume(ids());
  await add(numbered(12).map((name) => fileOf(name)));
  await expect.poll(() => requests.length).toBe(1);
  succeed(requests[0]!);
  await expect.poll(statesOf).toEqual(['done', 'failed']);
  expect(item('lost.txt')).toMatchObject({ state: 'failed', error: 'file_not_found' });
});

test('a request that is not answered is repeated under its key, also after it was given up', async () => {
  await add(numbered(10).map((name) => fileOf(name)));
  for (let tries = 1; tries <= 6; tries++) {
    await expect.poll(() => requests.length).toBe(tries);
    requests.at(-1)!.reply.reject(new ApiFailure('unreachable'));
  }
  await expect.poll(statesOf).toEqual(['failed']);
  expect(item('0.txt')).toMatchObject({ error: 'unreachable' });
  queue.resume(ids());
  await expect.poll(() => requests.length).toBe(7);
  expect(new Set(requests.map(({ key, names }) => `${key} ${names.join()}`)).size).toBe(1);
  succeed(requests[6]!);
  await expect.poll(statesOf).toEqual(['done']);
});

test('a rejected request is not repeated, and gets another key when it is retried', async () => {
  await add(numbered(10).map((name) => fileOf(name)));
  await expect.poll(() => requests.length).toBe(1);
  requests[0]!.reply.reject(new ApiFailure('permission_denied'));
  await expect.poll(statesOf).toEqual(['failed']);
  queue.resume(ids());
  await expect.poll(() => requests.length).toBe(2);
  expect(requests[1]!.key).not.toBe(requests[0]!.key);
});

test('pausing or canceling some files of a request does not stop the others', async () => {
  await add(numbered(10).map((name) => fileOf(name)));
  await expect.poll(() => requests.length).toBe(1);
  queue.pause([item('1.txt').id, item('2.txt').id]);
  queue.cancel([item('3.txt').id]);
  queue.resume([item('2.txt').id]);
  await expect.poll(() => item('2.txt').state).toBe('uploading');
  expect(requests[0]!.signal!.aborted).toBe(false);
  succeed(requests[0]!);
  await expect.poll(() => removed).toEqual(['node 3.txt']);
  await expect.poll(statesOf).toEqual(['cancelled', 'done']);
  expect(requests).toHaveLength(1);
});

test('pausing all files of a request aborts it, and resuming them repeats it', async () => {
  await add(numbered(10).map((name) => fileOf(name)));
  await expect.poll(() => requests.length).toBe(1);
  queue.pause(ids());
  expect(requests[0]!.signal!.aborted).toBe(true);
  await expect.poll(statesOf).toEqual(['paused']);
  queue.resume(ids());
  await expect.poll(() => requests.length).toBe(2);
  expect(requests[1]!.key).toBe(requests[0]!.key);
  succeed(requests[1]!);
  await expect.poll(statesOf).toEqual(['done']);
});
