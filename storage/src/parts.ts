import { freshName, checkPartNumber } from './names.ts';
import { PartMissing } from './storage-errors.ts';
import type { PartChoice, StagedPart } from './blob-store.ts';

// A version is `<sequence>-<nonce>`: a part written again gets the next sequence. Parallel writes of one part may get
// the same sequence; the nonce distinguishes them, and gives them the same order for all readers.

export function nextVersion(earlier: readonly StagedPart[]): string {
  const highest = earlier.reduce((most, part) => Math.max(most, sequenceOf(part)), 0);
  return `${highest + 1}-${freshName()}`;
}

/** Positive if the first version takes precedence over the second. */
export function compareVersions(one: StagedPart, other: StagedPart): number {
  const difference = sequenceOf(one) - sequenceOf(other);
  if (difference !== 0) return difference;
  return one.version < other.version ? -1 : Number(one.version > other.version);
}

/** The current version of each part, ordered by number; if a version occurs in two places, the later place wins. */
export function latestParts<P extends StagedPart>(all: Iterable<P>): P[] {
  const latest = new Map<number, P>();
  for (const part of all) {
    const known = latest.get(part.number);
    if (!known || compareVersions(part, known) >= 0) latest.set(part.number, part);
  }
  return [...latest.values()].sort((one, other) => one.number - other.number);
}

/** Finds the parts that keep() was asked for among all staged ones. Throws PartMissing. */
export function chooseParts<P extends StagedPart>(all: Iterable<P>, choices: readonly PartChoice[]): P[] {
  const latest = new Map(latestParts(all).map((part) => [part.number, part]));
  return choices.map((choice) => {
    const part = latest.get(choice.number);
    if (!part || part.size !== choice.size) throw new PartMissing(choice.number);
    if (choice.version !== undefined && part.version !== choice.version) throw new PartMissing(choice.number);
    return part;
  });
}

/** Their total size in bytes. Throws a TypeError if the numbers don't ascend. */
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
