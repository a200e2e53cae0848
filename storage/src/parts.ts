import { freshName, checkPartNumber } from './names.ts';
import { PartMissing } from './storage-errors.ts';
import type { PartChoice, StagedPart } from './blob-store.ts';

// A version is `<sequence>-<nonce>`: a part written again gets the next sequence, and writes of one part at the same
// time, which may have drawn the same sequence, are told apart (and put in one order for everyone) by the nonce.

export function nextVersion(earlier: readonly StagedPart[]): string {
  const highest = earlier.reduce((most, part) => Math.max(most, sequenceOf(part)), 0);
  return `${highest + 1}-${freshName()}`;
}

/** Positive when the first version counts more than the second. */
export function compareVersions(one: StagedPart, other: StagedPart): number {
  const difference = sequenceOf(one) - sequenceOf(other);
  if (difference !== 0) return difference;
  return one.version < other.version ? -1 : Number(one.version > other.version);
}

/** The version that counts of each part, ordered by number; of one version seen in two places, the later place. */
export function latestParts<P extends StagedPart>(all: Iterable<P>): P[] {
  const latest = new Map<number, P>();
  for (const part of all) {
    const known = latest.get(part.number);
    if (!known || compareVersions(part, known) >= 0) latest.set(part.number, part);
  }
  return [...latest.values()].sort((one, other) => one.number - other.number);
}

/** Finds what keep() was asked for among everything staged. Throws PartMissing. */
export function chooseParts<P extends StagedPart>(all: Iterable<P>, choices: readonly PartChoice[]): P[] {
  const latest = new Map(latestParts(all).map((part) => [part.number, part]));
  return choices.map((choice) => {
    const part = latest.get(choice.number);
    if (!part || part.size !== choice.size) throw new PartMissing(choice.number);
    if (choice.version !== undefined && part.version !== choice.version) throw new PartMissing(choice.number);
    return part;
  });
}

/** Their size together. Throws a TypeError when the numbers don't ascend. */
export function checkChoices(choices: readonly PartChoice[]): number {
  let size = 0;
  let before = 0;
  for (const choice of choices) {
    checkPartNumber(choice.number);
    if (choice.number <= before) throw new TypeError(`Part ${choice.number} is out of order`);
    before = choice.number;
    size += choice.size;
  }
  return size;
}

function sequenceOf(part: StagedPart): number {
  return Number(part.version.slice(0, part.version.indexOf('-')));
}
