import type { EndpointSpec } from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../foundation/index.ts';
import { mountSite, type Readiness } from './site-routes.ts';
import { createSettings, type Settings } from './site-store.ts';

export { errorsOf } from './openapi.ts';
export type { Readiness } from './site-routes.ts';
export type { Settings } from './site-store.ts';

interface Parts {
  clock: Clock;
  endpoints: readonly EndpointSpec[];
  readiness: Readiness;
  version: string;
}

/** The installation itself: whether it is well, what it offers to programs, facts that it keeps. */
export function createSite({ clock, ...parts }: Parts) {
  const settings: Settings = createSettings({ clock });
  return { settings, mount: (app: FastifyInstance) => mountSite(app, parts) };
}
