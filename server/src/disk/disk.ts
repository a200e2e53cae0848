/** Level of a disk. */
export type DiskLevel =
  | 'ok'
  /** Less is free than operators want to be warned at. */
  | 'low'
  /** Only the reserve is left: uploads are rejected. */
  | 'full';

/** All in bytes. */
export interface DiskStatus {
  /** Null if the storage does not report it, such as an S3 service. */
  readonly free: number | null;
  /** Space that uploads never use. */
  readonly reserve: number;
  /** Set aside for what this process is receiving. */
  readonly underWay: number;
  /** Space that uploads may still use. */
  readonly usable: number | null;
  /** Below so much free space operators are warned. */
  readonly warnBelow: number;
  readonly level: DiskLevel;
}

const ORDER: readonly DiskLevel[] = ['ok', 'low', 'full'];
/** So much more than at the way down has to be free on the way up: a disk at the edge must not send a mail a minute. */
const WAY_BACK = 1.2;

export function levelOf(
  free: number | null,
  { reserve, warnBelow }: { reserve: number; warnBelow: number },
): DiskLevel {
  if (free === null) return 'ok';
  if (free <= reserve) return 'full';
  return free < warnBelow ? 'low' : 'ok';
}

/** The level after one before: it gets worse at once, and better only when it is clearly so. */
export function nextLevel(
  before: DiskLevel,
  free: number | null,
  limits: { reserve: number; warnBelow: number },
): DiskLevel {
  const now = levelOf(free, limits);
  if (!isWorse(before, now)) return now;
  const eased = { reserve: limits.reserve * WAY_BACK, warnBelow: limits.warnBelow * WAY_BACK };
  const steady = levelOf(free, eased);
  return isWorse(before, steady) ? steady : before;
}

export function isWorse(one: DiskLevel, than: DiskLevel): boolean {
  return ORDER.indexOf(one) > ORDER.indexOf(than);
}

export function isLevel(text: string | undefined): text is DiskLevel {
  return (ORDER as readonly (string | undefined)[]).includes(text);
}
