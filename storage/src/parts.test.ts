import { expect, test } from 'vitest';
import { chooseParts, compareVersions, latestParts, nextVersion } from './parts.ts';
import { PartMissing } from './storage-errors.ts';
import type { StagedPart } from './blob-store.ts';

const part = (number: number, version: string, size = 1): StagedPart => ({ number, version, size });

test('the tenth version of a part is newer than the ninth', () => {
  const written = [part(1, '9-f'), part(1, '10-a'), part(2, '1-a')];
  expect(latestParts(written).map(({ version }) => version)).toEqual(['10-a', '1-a']);
  expect(latestParts(written.toReversed()).map(({ version }) => version)).toEqual(['10-a', '1-a']);
  expect(nextVersion(written)).toMatch(/^11-/);
  expect(compareVersions(part(1, '100-a'), part(1, '99-z'))).toBeGreaterThan(0);
});

test('of two parallel versions, every reader selects the same one', () => {
  const [one, other] = [part(1, '3-a'), part(1, '3-b')];
  expect(latestParts([one, other])).toEqual([other]);
  expect(latestParts([other, one])).toEqual([other]);
});

test('a part is kept only in the version and size that are currently staged', () => {
  const written = [part(1, '1-a', 5), part(1, '2-b', 5)];
  expect(chooseParts(written, [{ number: 1, size: 5, version: '2-b' }])).toEqual([written[1]]);
  expect(chooseParts(written, [{ number: 1, size: 5 }])).toEqual([written[1]]);
  expect(() => chooseParts(written, [{ number: 1, size: 5, version: '1-a' }])).toThrow(PartMissing);
  expect(() => chooseParts(written, [{ number: 1, size: 4 }])).toThrow(PartMissing);
  expect(() => chooseParts(written, [{ number: 2, size: 5 }])).toThrow(PartMissing);
});
