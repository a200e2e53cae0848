import type { Task } from '@bowerbird/contract';

/** State of a transfer as users would name it. */
export type TransferState = 'waiting' | 'scheduled' | 'running' | 'paused' | 'failed' | 'finished';
export type TransferSource = 'web' | 'torrent' | 'share';
export type TransferStep = 'resolving' | 'fetching' | 'storing' | 'seeding';

/** Cloud download task with its parameters parsed. */
export interface Transfer {
  readonly id: string;
  readonly name: string;
  readonly state: TransferState;
  readonly source: TransferSource;
  /** Link without its secrets. */
  readonly url: string;
  /** Current step; "" before the start. */
  readonly step: TransferStep | '';
  readonly received: number;
  /** `undefined` while unknown. */
  readonly size: number | undefined;
  /** Bytes per second. */
  readonly speed: number;
  readonly peers: number | undefined;
  readonly fileCount: number;
  readonly folderId: string;
  readonly folderName: string;
  readonly startTime: string;
  readonly priority: 'high' | 'normal' | 'low';
  /** Identifier of the error, and its message in the user's language. */
  readonly error: string;
  readonly message: string;
  /** Error before the scheduled retry; "" if the task is just waiting. */
  readonly retryError: string;
  /** Id of the file or folder in the drive; "" before it exists. */
  readonly fileId: string;
  readonly isFolder: boolean;
  readonly createdTime: string;
  readonly updatedTime: string;
}

const number = (text: string | undefined): number | undefined =>
  text === undefined || text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);

const oneOf = <V extends string>(values: readonly V[], text: string | undefined, fallback: V): V =>
  values.find((value) => value === text) ?? fallback;

function stateOf(task: Task, now: number): TransferState {
  switch (task.phase) {
    case 'PHASE_TYPE_COMPLETE':
      return 'finished';
    case 'PHASE_TYPE_ERROR':
      return 'failed';
    case 'PHASE_TYPE_PAUSED':
      return 'paused';
    case 'PHASE_TYPE_RUNNING':
      // Between two attempts nothing is running.
      return task.params['step'] === 'waiting' && task.params['retry_error'] ? 'waiting' : 'running';
    default:
      return Date.parse(task.params['start_time'] ?? '') > now ? 'scheduled' : 'waiting';
  }
}

export function transferOf(task: Task, now: number): Transfer {
  const { params } = task;
  const state = stateOf(task, now);
  const size = number(params['size']) ?? (Number(task.file_size) > 0 ? Number(task.file_size) : undefined);
  return {
    id: task.id,
    name: task.name || task.file_name,
    state,
    source: oneOf(['web', 'torrent', 'share'], params['source'], 'web'),
    url: params['url'] ?? '',
    step: oneOf(['resolving', 'fetching', 'storing', 'seeding', ''], params['step'], ''),
    received: number(params['received']) ?? (state === 'finished' ? (size ?? 0) : 0),
    size,
    speed: state === 'running' ? (number(params['speed']) ?? 0) : 0,
    peers: state === 'running' ? number(params['peers']) : undefined,
    fileCount: number(params['file_count']) ?? 1,
    folderId: params['folder_id'] ?? '',
    folderName: params['folder_name'] ?? '',
    startTime: params['start_time'] ?? '',
    priority: oneOf(['high', 'normal', 'low'], params['priority'], 'normal'),
    error: params['error'] ?? '',
    message: task.phase === 'PHASE_TYPE_ERROR' ? task.message : '',
    retryError: state === 'waiting' ? (params['retry_error'] ?? '') : '',
    // The id exists before the file does; a task that is requested individually has no reference to it.
    fileId: task.phase === 'PHASE_TYPE_COMPLETE' || task.reference_resource ? task.file_id : '',
    isFolder: task.reference_resource?.['kind'] === 'drive#folder',
    createdTime: task.created_time,
    updatedTime: task.updated_time,
  };
}

/** Progress as a share of 1, rounded down to hundredths; `undefined` while the total is unknown. */
export function partOf({
  state,
  size,
  received,
}: Pick<Transfer, 'state' | 'size' | 'received'>): number | undefined {
  if (state === 'finished') return 1;
  return size === undefined || size === 0
    ? undefined
    : Math.min(1, Math.floor((received / size) * 100) / 100);
}

/** Remaining time, in the unit that a person would use; `undefined` if it can't be estimated. */
export type TimeLeft =
  | { readonly unit: 'moment' }
  | { readonly unit: 'minutes' | 'days'; readonly count: number }
  | { readonly unit: 'hours'; readonly count: number; readonly minutes: number };

const LONGEST_S = 30 * 86_400;

export function timeLeft({
  size,
  received,
  speed,
}: Pick<Transfer, 'size' | 'received' | 'speed'>): TimeLeft | undefined {
  if (size === undefined || speed <= 0 || received >= size) return undefined;
  const seconds = (size - received) / speed;
  if (seconds > LONGEST_S) return undefined;
  if (seconds < 50) return { unit: 'moment' };
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return { unit: 'minutes', count: minutes };
  if (minutes < 24 * 60) return { unit: 'hours', count: Math.floor(minutes / 60), minutes: minutes % 60 };
  return { unit: 'days', count: Math.round(minutes / (24 * 60)) };
}
