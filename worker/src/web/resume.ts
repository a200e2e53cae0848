import type { SourceFacts } from '@bowerbird/contract';
import type { Version } from './stretch.ts';

/** What is said before the first byte is staged, so that whoever goes on knows what lies there. */
export interface Resume {
  readonly facts: SourceFacts;
  /** Of what the staged parts are parts; null where they can't be gone on with. */
  readonly staged: StagedVersion | null;
}

export interface StagedVersion extends Version {
  /** The cell of the layout, by which staged parts are numbered. */
  readonly partSize: number;
}

/** What a former run said, if it was one of ours; undefined for all else. */
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
