/** Message from a server process to its supervisor. */
export type ServerMessage =
  | { readonly type: 'ready'; readonly port: number }
  /** A job was added, which the leader may start now. */
  | { readonly type: 'wake' }
  /** The disk has lost a write to the database. */
  | { readonly type: 'write-lost' }
  /** Something was committed that pages show; all other processes are told. */
  | Told;

/** Changes that a process has committed, in texts that only servers understand. */
interface Told {
  readonly type: 'told';
  readonly texts: readonly string[];
}

/** Message from the supervisor to a server process. */
export type SupervisorMessage =
  /** The process is the leader from now on: it runs the background work. */
  | { readonly type: 'lead' }
  /** A job was added. */
  | { readonly type: 'wake' }
  /** Another process reports a lost write. */
  | { readonly type: 'distrust' }
  /** Another process has committed something. */
  | Told
  /** Others may have committed what this process wasn't told: one of them was killed, or this one has just started. */
  | { readonly type: 'missed' };

/** Settings of a process, and what its supervisor tells it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variable of the environment with the {@link Place} of a server process. */
export const PLACE = 'BOWERBIRD_PLACE';

/** Place of a server process among the others. */
export interface Place {
  /** Counts from one. A process that replaces another one gets its number. */
  readonly number: number;
  /** True for the process that starts before all others: it prepares the database and announces the address. */
  readonly isFirst: boolean;
}
