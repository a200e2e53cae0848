/** Level of a disk. */
export type DiskLevel =
  | 'ok'
  /** Less space is free than the warning threshold. */
  | 'low'
  /** Only the reserve is left: uploads are rejected. */
  | 'full';

/** Values in bytes. */
export interface DiskStatus {
  /** Null if the storage does not report it, such as an S3 service. */
  readonly free: number | null;
  /** Space that uploads never use. */
  readonly reserve: number;
  /** Reserved for bodies that this process is receiving. */
  readonly underWay: number;
  /** Space that uploads may still use. */
  readonly usable: number | null;
  /** Free space below which administrators are warned. */
  readonly warnBelow: number;
  readonly level: DiskLevel;
}

const ORDER: readonly DiskLevel[] = ['ok', 'low', 'full'];
/**
 * Factor of free space for recovery from a level, so that a disk near a threshold does not send an email
 * every minute.
 */
const WAY_BACK = 1.2;

export function levelOf(
  free: number | null,
  { reserve, warnBelow }: { reserve: number; warnBelow: number },
): DiskLevel {
  if (free === null) return 'ok';
  if (free <= reserve) return 'full';
  return free < warnBelow ? 'low' : 'ok';
}

/** Next level after a known one: it worsens at once, and recovers only with a margin. */
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
