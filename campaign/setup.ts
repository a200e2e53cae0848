import type { Findings } from './findings.ts';
import type { Random } from './random.ts';

/** Something that goes wrong for a while; when it resolves, all is as it was. */
export interface Fault {
  readonly name: string;
  happen(random: Random): Promise<void>;
}

/** The product as one way of running it has it. */
export interface Setup extends AsyncDisposable {
  readonly name: string;
  /** Where requests may be sent now. */
  origins(): readonly string[];
  readonly faults: readonly Fault[];
  /** Adds a member before the load begins. */
  addMember(email: string, password: string): Promise<void>;
  start(): Promise<void>;
  /** Ends everything in order, and says what `check` printed. */
  stopAndCheck(): Promise<{ code: number; output: string }>;
}

export type OpenSetup = (findings: Findings) => Promise<Setup>;
