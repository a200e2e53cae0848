import type { ApiCall } from '@bowerbird/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { ObjectFailure, objects } from './object-requests.ts';
import { createPartSizes } from './part/part-sizes.ts';
import { createResumeRecords, fingerprint, type RecordStorage } from './resume-records.ts';
import { runUpload, uploadFailure } from './upload-run.ts';
import type { UploadJob, UploadTools } from './upload-tools.ts';
import { ticket } from './testing/ticket.ts';

const MIB = 2 ** 20;
/** Numbers of the parts of 40 MiB, which say where they begin. */
const PARTS_OF_40_MIB = [1, 17, 33];
/** Server side of the requests: its state, and the next responses that differ from the usual. */
function server() {
  const held = new Map<number, { etag: string; size: number }>();
  const state = { tickets: 0, removed: 0, whole: false, gone: false, sent: [] as number[] };
  const failures: (ObjectFailure | undefined)[] = [];
  const next = (): void => {
    const failure = failures.shift();
    if (failure) throw failure;
  };
  const open = (): void => {
    if (state.whole || state.gone) throw new ObjectFailure(404, 'upload_not_found');
  };
  vi.spyOn(objects, 'putWhole').mockImplementation(async () => {
    next();
    state.whole = true;
  });
  vi.spyOn(objects, 'begin').mockResolvedValue('key');
  vi.spyOn(objects, 'putPart').mockImplementation(async (_ticket, _upload, { number }, body) => {
    next();
    open();
    held.set(number, { etag: `"${number}"`, size: body.size });
    state.sent.push(number);
    return `"${number}"`;
  });
  vi.spyOn(objects, 'listParts').mockImplementation(async () => {
    open();
    return new Map(held);
  });
  vi.spyOn(objects, 'isWhole').mockImplementation(async () => state.whole);
  vi.spyOn(objects, 'complete').mockImplementation(async () => {
    next();
    state.whole = true;
  });
  const call = (async (spec: { name: string }) => {
    if (spec.name === 'drive.create') {
      state.tickets += 1;
      return { file: { id: `node ${state.tickets}` }, task: { id: 'task' }, resumable: { params: ticket } };
    }
    state.removed += 1;
    return {};
  }) as unknown as ApiCall;
  return { held, state, failures, call };
}

let tools: UploadTools;
let wire: ReturnType<typeof server>;
let pauses: number[];

beforeEach(() => {
  vi.restoreAllMocks();
  wire = server();
  pauses = [];
  const kept = new Map<string, string>();
  const storage: RecordStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
  tools = {
    call: wire.call,
    user: 'ann',
    records: createResumeRecords('ann', storage, () => Date.now()),
    freshKey: () => 'fresh',
    sleep: async (ms) => void pauses.push(ms),
    online: async () => {},
    now: () => Date.now(),
    sizes: createPartSizes(() => Date.now()),
  };
});

const jobOf = (size: number): UploadJob => ({
  file: new File([new Uint8Array(size)], 'film.mkv', { lastModified: 1 }),
  name: 'film.mkv',
  folderId: 'films',
  folderName: 'Films',
  conflict: 'rename',
});
const events = () => ({ state: vi.fn(), loaded: vi.fn() });
const go = (job: UploadJob, told = events(), signal = new AbortController().signal) =>
  runUpload(job, tools, told, signal);

test('a transient error is retried after growing delays, on the same ticket', async () => {
  wire.failures.push(new ObjectFailure(0), new ObjectFailure(503), new ObjectFailure(429));
  expect(await go(jobOf(5))).toBe('node 1');
  expect(wire.state).toMatchObject({ tickets: 1, removed: 0, whole: true });
  expect(pauses).toHaveLength(3);
  expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
});

test.each([
  [400, 'upload_size_mismatch'],
  [403, 'file_space_not_enough'],
  [409, 'already_exists'],
  [412, 'file_duplicated_name'],
])('a permanent error is not retried: %i %s', async (status, reason) => {
  wire.failures.push(new ObjectFailure(status, reason));
  await expect(go(jobOf(5))).rejects.toMatchObject({ status });
  expect(pauses).toEqual([]);
  // The ticket's quota is returned.
  expect(wire.state).toMatchObject({ tickets: 1, removed: 1 });
  expect(uploadFailure(new ObjectFailure(status, reason)).id).toBe(reason);
});

test('repeated errors give up in the end', async () => {
  wire.failures.push(...Array.from({ length: 20 }, () => new ObjectFailure(503)));
  await expect(go(jobOf(5))).rejects.toMatchObject({ status: 503 });
  expect(pauses).toHaveLength(5);
});

test('an upload resumes from its stored parts, on its old ticket', async () => {
  const job = jobOf(40 * MIB);
  const stop = new AbortController();
  vi.mocked(objects.complete).mockImplementationOnce(async () => {
    stop.abort();
    throw new ObjectFailure(0);
  });
  await expect(go(job, events(), stop.signal)).rejects.toThrow();
  wire.held.delete(17);
  wire.state.sent = [];
  const told = events();
  expect(await go(job, told)).toBe('node 1');
  expect(wire.state).toMatchObject({ tickets: 1, sent: [17], whole: true });
  expect(told.loaded).toHaveBeenLastCalledWith(job.file.size);
  expect(tools.records.list()).toEqual([]);
});

test('an interrupted completion is requested again, without sending a byte', async () => {
  const job = jobOf(40 * MIB);
  wire.failures.push(...PARTS_OF_40_MIB.map(() => undefined));
  wire.failures.push(...Array.from({ length: 6 }, () => new ObjectFailure(503)));
  await expect(go(job)).rejects.toMatchObject({ status: 503 });
  wire.state.sent = [];
  const told = events();
  expect(await go(job, told)).toBe('node 1');
  expect(wire.state).toMatchObject({ tickets: 1, sent: [], whole: true });
  expect(told.state.mock.calls.map(([state]) => state as string)).toEqual([
    'preparing',
    'uploading',
    'finishing',
  ]);
});

test('a file that the server completed meanwhile is done, and not sent again', async () => {
  const job = jobOf(40 * MIB);
  wire.failures.push(...PARTS_OF_40_MIB.map(() => undefined));
  wire.failures.push(...Array.from({ length: 6 }, () => new ObjectFailure(503)));
  await expect(go(job)).rejects.toMatchObject({ status: 503 });
  wire.state.sent = [];
  wire.state.whole = true;
  expect(await go(job)).toBe('node 1');
  expect(wire.state).toMatchObject({ tickets: 1, sent: [] });
  expect(tools.records.find(fingerprint('ann', 'films', job.file))).toBeUndefined();
});

test('an upload that the server dropped starts over', async () => {
  const job = jobOf(40 * MIB);
  wire.failures.push(new ObjectFailure(400, 'invalid_argument'));
  await expect(go(job)).rejects.toMatchObject({ status: 400 });
  wire.state.gone = true;
  vi.mocked(objects.begin).mockImplementationOnce(async () => {
    wire.state.gone = false;
    wire.held.clear();
    return 'other';
  });
  expect(await go(job)).toBe('node 2');
  expect(wire.state).toMatchObject({ tickets: 2, whole: true });
});

test('a body that a proxy refuses is sent in parts that it accepts', async () => {
  const most = 2 * MIB;
  const bodies: number[] = [];
  vi.mocked(objects.putWhole).mockRejectedValue(new ObjectFailure(413));
  vi.mocked(objects.putPart).mockImplementation(async (_ticket, _upload, { number, start }, body) => {
    if (body.size > most) throw new ObjectFailure(413);
    expect(start).toBe((number - 1) * MIB);
    bodies.push(body.size);
    wire.held.set(number, { etag: `"${number}"`, size: body.size });
    return `"${number}"`;
  });
  const told = events();
  expect(await go(jobOf(9 * MIB), told)).toBe('node 1');
  // One ticket, without a pause: nothing has failed for lack of time.
  expect(wire.state).toMatchObject({ tickets: 1, removed: 0, whole: true });
  expect(pauses).toEqual([]);
  expect(bodies.reduce((sum, size) => sum + size, 0)).toBe(9 * MIB);
  expect(Math.max(...bodies)).toBeLessThanOrEqual(most);
  expect(told.loaded).toHaveBeenLastCalledWith(9 * MIB);
  // The next file isn't tried in one body.
  vi.mocked(objects.putWhole).mockClear();
  wire.state.whole = false;
  await go({ ...jobOf(9 * MIB), folderId: 'other' });
  expect(objects.putWhole).not.toHaveBeenCalled();
});

test('parts that take too long become smaller, and an upload that stopped midway continues between them', async () => {
  const job = jobOf(48 * MIB);
  const stop = new AbortController();
  vi.mocked(objects.putPart).mockImplementation(async (_ticket, _upload, { number }, body) => {
    if (stop.signal.aborted) throw new ObjectFailure(0);
    if (body.size > 4 * MIB) throw new ObjectFailure(504);
    wire.held.set(number, { etag: `"${number}"`, size: body.size });
    if (wire.held.size === 5) stop.abort();
    return `"${number}"`;
  });
  await expect(go(job, events(), stop.signal)).rejects.toThrow();
  const before = [...wire.held.keys()];
  vi.mocked(objects.putPart).mockImplementation(async (_ticket, _upload, { number }, body) => {
    expect(before).not.toContain(number);
    wire.held.set(number, { etag: `"${number}"`, size: body.size });
    return `"${number}"`;
  });
  const told = events();
  expect(await go(job, told)).toBe('node 1');
  const named = [...vi.mocked(objects.complete).mock.lastCall![2].keys()];
  expect(named.map((number) => wire.held.get(number)!.size).reduce((sum, size) => sum + size, 0)).toBe(
    48 * MIB,
  );
  expect(told.loaded).toHaveBeenLastCalledWith(48 * MIB);
});

test('an upload of an earlier page, with parts of equal size, continues with their numbers', async () => {
  const job = jobOf(40 * MIB);
  const print = fingerprint('ann', 'films', job.file);
  wire.held.set(1, { etag: '"1"', size: 16 * MIB }).set(3, { etag: '"3"', size: 8 * MIB });
  tools.records.save({
    fingerprint: print,
    name: job.name,
    size: job.file.size,
    folderId: 'films',
    folderName: 'Films',
    nodeId: 'node 0',
    taskId: 'task',
    ticket,
    uploadId: 'key',
    savedAt: Date.now(),
  });
  expect(await go(job)).toBe('node 0');
  expect(wire.state).toMatchObject({ tickets: 0, sent: [2], whole: true });
});
