import type { EndpointSpec } from '@bowerbird/contract';
import type { Caller } from './viewer.ts';

/** A call that stands at the gate, with what was said to get in. */
export interface Asked {
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  /** The header `x-captcha-token`, or "". */
  readonly captcha: string;
  /** True where one of our own pages asks while it is rendered or its form is posted. */
  readonly isPage: boolean;
  /** True where a browser loads a page whole: its scripts, if it runs any, come with the answer. */
  readonly isDocument: boolean;
}

/** Stands between the network and a call: does `work`, or rejects. */
export type Gate = (spec: EndpointSpec, asked: Asked, work: () => Promise<unknown>) => Promise<unknown>;
