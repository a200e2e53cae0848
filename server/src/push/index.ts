import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import { createPushIdentity } from './push-identity.ts';
import { mountPushes } from './push-routes.ts';
import type { SendPush } from './push-sending.ts';
import { createPushes } from './push-service.ts';
import { pushStore } from './push-store.ts';
import type { PushDeviceRow } from './push.ts';

export type { Pushes } from './push-service.ts';
export { sendPush, type SendPush } from './push-sending.ts';

/** Notifications by Web Push: finished downloads, and the first opening of a share. */
export function createPush({
  config,
  send,
  ...parts
}: Foundation & {
  send: SendPush;
  /** Returns true if a session may still be used. */
  isLive: (device: Pick<PushDeviceRow, 'account' | 'session'>) => Promise<boolean>;
}) {
  // Push services want to know whom to tell about problems; without an address of the site there is nobody.
  const subject = config.CONTACT_ADDRESS
    ? `mailto:${config.CONTACT_ADDRESS}`
    : (config.SITE_URL ?? 'mailto:nobody@example.com');
  const identity = createPushIdentity({ ...parts, subject });
  const pushes = createPushes({ ...parts, identity, send });
  return {
    pushes,
    mount: ({ api }: Mount) => mountPushes(api, { pushes, identity }),
    define: (queue: Jobs) => pushes.define(queue),
    eraseAccount: (account: string, signal: AbortSignal): Promise<number> =>
      pushStore.eraseAccount(parts.database, account, signal),
  };
}
