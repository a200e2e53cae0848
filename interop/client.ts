import type { Origin } from '../server/testing/index.ts';
import type { Proxy } from './proxy.ts';
import type { Person, Server } from './server.ts';

export type Say = (text: string) => void;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What one client runs against: a server that nobody else uses, and somebody who has an account there. */
export interface Scene {
  readonly server: Server;
  readonly origin: string;
  readonly person: Person;
  /** Somebody else with an account. */
  readonly other: Person;
  readonly proxy: Proxy;
  /** A site with files that can be fetched. */
  readonly source: Origin;
  /** An empty folder of this machine. */
  readonly folder: string;
  readonly say: Say;
  /** One thing that the client does. The first that fails ends the client. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Adds what a test suite of the client's own counted; its failures don't end the client. */
  count(suite: string, counts: Counts, failures: readonly string[]): void;
  /** Waits until every token and lock that the client holds has expired. */
  pause(): Promise<void>;
}

export type Run = (scene: Scene) => Promise<void>;

/** A client that this machine doesn't have, and why. */
export interface Absent {
  readonly absent: string;
  /** Asks what the client would ask. */
  readonly standIn?: Run;
}

export interface Client {
  readonly title: string;
  /** Finds or installs the client. */
  ready(say: Say): Promise<{ readonly version: string; readonly run: Run } | Absent>;
}
