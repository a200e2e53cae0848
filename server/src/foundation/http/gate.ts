import type { EndpointSpec } from '@bowerbird/contract';
import type { Caller } from './viewer.ts';

/** A call before its admission, with the data that the decision is based on. */
export interface Asked {
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  /** Value of the header `x-captcha-token`, or "". */
  readonly captcha: string;
  /** True if one of our own pages makes the call while it is rendered or its form is posted. */
  readonly isPage: boolean;
  /** True if a browser loads a whole page: its scripts, if they run at all, arrive with this response. */
  readonly isDocument: boolean;
}

/** Admission of a call from the network: runs `work` or rejects. */
export type Gate = (spec: EndpointSpec, asked: Asked, work: () => Promise<unknown>) => Promise<unknown>;
