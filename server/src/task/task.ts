import type { Phase, TaskType } from '@bowerbird/contract';

/** Task that a member can watch. */
export interface TaskRow<State = unknown> {
  readonly id: string;
  readonly account: string;
  readonly type: TaskType;
  readonly phase: Phase;
  /** 0 to 100. */
  readonly progress: number;
  readonly name: string;
  readonly fileId: string;
  readonly fileName: string;
  readonly fileSize: number;
  readonly message: string;
  /** Identifier from the error catalog, if the task failed. */
  readonly error: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** State for whoever runs the task; nothing else reads it. */
  readonly state: State;
  readonly cancelled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 *   PENDING ◀──▶ RUNNING ⇄ PAUSED (PAUSED ──▶ PENDING: it waits for its turn again)
 *      │           │         │
 *      ▼           ▼         ▼
 *   COMPLETE | ERROR  (ERROR ──▶ PENDING by retry)
 */
const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  PHASE_TYPE_PENDING: ['PHASE_TYPE_RUNNING', 'PHASE_TYPE_PAUSED', 'PHASE_TYPE_COMPLETE', 'PHASE_TYPE_ERROR'],
  PHASE_TYPE_RUNNING: ['PHASE_TYPE_PENDING', 'PHASE_TYPE_PAUSED', 'PHASE_TYPE_COMPLETE', 'PHASE_TYPE_ERROR'],
  PHASE_TYPE_PAUSED: ['PHASE_TYPE_PENDING', 'PHASE_TYPE_RUNNING', 'PHASE_TYPE_ERROR', 'PHASE_TYPE_COMPLETE'],
  PHASE_TYPE_ERROR: ['PHASE_TYPE_PENDING'],
  PHASE_TYPE_COMPLETE: [],
  PHASE_TYPE_UNKNOW: [],
};

export function mayBecome(from: Phase, to: Phase): boolean {
  return from === to || NEXT[from].includes(to);
}

export function isFinished(phase: Phase): boolean {
  return phase === 'PHASE_TYPE_COMPLETE' || phase === 'PHASE_TYPE_ERROR';
}
