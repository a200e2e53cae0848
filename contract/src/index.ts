export * from './account.ts';
export * from './archive.ts';
export * from './categories.ts';
export * from './drive.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './fetch-order.ts';
export * from './file.ts';
export * from './gcid.ts';
export * from './limits.ts';
export * from './locales.ts';
export * from './messages.ts';
export * from './names.ts';
export * from './offline.ts';
export * from './order.ts';
export * from './page-services.ts';
export * from './scopes.ts';
export * from './security.ts';
export * from './share.ts';
export * from './subscription.ts';
export * from './task.ts';
export * from './thumbnail-order.ts';
export * from './wire.ts';
import { accountApi } from './account.ts';
import { archiveApi } from './archive.ts';
import { driveApi } from './drive.ts';
import type { EndpointSpec } from './endpoint.ts';
import { offlineApi } from './offline.ts';
import { securityApi } from './security.ts';
import { shareApi } from './share.ts';
import { subscriptionApi } from './subscription.ts';
import { taskApi } from './task.ts';

/** Every endpoint of the product, in the order in which the reference shows them. */
export const ENDPOINTS: readonly EndpointSpec[] = [
  accountApi,
  securityApi,
  driveApi,
  shareApi,
  archiveApi,
  taskApi,
  offlineApi,
  subscriptionApi,
].flatMap((api) => Object.values(api));
