import type { SourceFacts } from '@bowerbird/contract';
import type { Version } from './range-requests.ts';

/** State reported before the first byte is staged, so that a later run knows what was staged. */
export interface Resume {
  readonly facts: SourceFacts;
  /** The version that the staged parts belong to; null if they cannot be continued. */
  readonly staged: StagedVersion | null;
}

export interface StagedVersion extends Version {
  /** The cell size of the layout, which determines the numbers of staged parts. */
  readonly partSize: number;
}

/** Parses the state of an earlier run; returns undefined if it is not valid. */
export function readResume(state: unknown): Resume | undefined {
  if (!isRecord(state) || !isRecord(state['facts'])) return undefined;
  const { facts, staged } = state as unknown as Resume;
  return { facts, staged: isRecord(staged) && isVersion(staged) ? staged : null };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isVersion = ({
  size,
  partSize,
  tag,
  version,
}: Partial<Record<keyof StagedVersion, unknown>>): boolean =>
  isPositive(size) && isPositive(partSize) && typeof tag === 'string' && typeof version === 'string';

const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
