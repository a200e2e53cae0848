import type { Origin } from '../server/testing/index.ts';
import type { Proxy } from './proxy.ts';
import type { Person, Server } from './server.ts';

export type Say = (text: string) => void;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Environment of a client: a server that nobody else uses, and someone with an account there. */
export interface Scene {
  readonly server: Server;
  readonly origin: string;
  readonly person: Person;
  /** Another person with an account. */
  readonly other: Person;
  readonly proxy: Proxy;
  /** A site with files that can be fetched. */
  readonly source: Origin;
  /** An empty folder on this machine. */
  readonly folder: string;
  readonly say: Say;
  /** One operation of the client. The first failure ends the client. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Adds the results of a test suite of the client's own; its failures don't end the client. */
  count(suite: string, counts: Counts, failures: readonly string[]): void;
  /** Waits until every token and lock that the client has has expired. */
  pause(): Promise<void>;
}

export type Run = (scene: Scene) => Promise<void>;

/** A client that this machine can't run, and why. */
export interface Absent {
  readonly absent: string;
  /** Sends the requests that the client would send. */
  readonly standIn?: Run;
}

export interface Client {
  readonly title: string;
  /** Finds or installs the client. */
  ready(say: Say): Promise<{ readonly version: string; readonly run: Run } | Absent>;
}
