import { expect, test } from 'vitest';
import { createResumeRecords, fingerprint, type RecordStorage, type ResumeRecord } from './resume-records.ts';

const NOW = Date.UTC(2026, 10, 27);
const file = { name: 'film.mkv', size: 5_000, lastModified: 1 };

function memory(): RecordStorage {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

function record(user: string, folderId: string, expiration = NOW + 1000): ResumeRecord {
  return {
    fingerprint: fingerprint(user, folderId, file),
    name: file.name,
    size: file.size,
    folderId,
    folderName: 'Films',
    nodeId: 'n',
    taskId: 't',
    uploadId: 'u',
    savedAt: NOW,
    ticket: {
      access_key_id: 'a',
      access_key_secret: 's',
      security_token: 't',
      bucket: 'b',
      endpoint: 'e',
      key: 'k',
      expiration: new Date(expiration).toISOString(),
    },
  };
}

test('an upload resumes after a reload for the same user, folder and file', () => {
  const storage = memory();
  createResumeRecords('ann', storage, () => NOW).save(record('ann', 'films'));
  const later = createResumeRecords('ann', storage, () => NOW);
  expect(later.find(fingerprint('ann', 'films', file))?.uploadId).toBe('u');
  expect(later.list()).toHaveLength(1);
});

test('another user, another folder or a changed file starts over', () => {
  const storage = memory();
  createResumeRecords('ann', storage, () => NOW).save(record('ann', 'films'));
  const bob = createResumeRecords('bob', storage, () => NOW);
  expect(bob.list()).toEqual([]);
  expect(bob.find(fingerprint('bob', 'films', file))).toBeUndefined();
  expect(bob.find(fingerprint('ann', 'music', file))).toBeUndefined();
  expect(bob.find(fingerprint('ann', 'films', { ...file, lastModified: 2 }))).toBeUndefined();
});

test('an expired ticket is not used again', () => {
  const storage = memory();
  createResumeRecords('ann', storage, () => NOW).save(record('ann', 'films', NOW - 1));
  expect(createResumeRecords('ann', storage, () => NOW).list()).toEqual([]);
});

test('uploads work in a browser without storage', () => {
  const refusing: RecordStorage = {
    getItem() {
      throw new Error('denied');
    },
    setItem() {
      throw new Error('denied');
    },
  };
  const records = createResumeRecords('ann', refusing, () => NOW);
  records.save(record('ann', 'films'));
  expect(records.list()).toEqual([]);
});
