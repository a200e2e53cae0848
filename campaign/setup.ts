import type { Findings } from './findings.ts';
import type { Random } from './random.ts';

/** A temporary fault; when it resolves, everything is as before. */
export interface Fault {
  readonly name: string;
  happen(random: Random): Promise<void>;
}

/** The product in one of its setups. */
export interface Setup extends AsyncDisposable {
  readonly name: string;
  /** Addresses to which requests can be sent now. */
  origins(): readonly string[];
  readonly faults: readonly Fault[];
  /** Adds a member before the load begins. */
  addMember(email: string, password: string): Promise<void>;
  start(): Promise<void>;
  /** Stops everything in order, and returns the output of `check`. */
  stopAndCheck(): Promise<{ code: number; output: string }>;
}

export type OpenSetup = (findings: Findings) => Promise<Setup>;
