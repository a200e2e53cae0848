import { pushApi, type PushDevice } from '@bowerbird/contract';
import { deviceName } from '../account/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { PushIdentity } from './push-identity.ts';
import type { Pushes } from './push-service.ts';
import type { PushDeviceRow } from './push.ts';

function deviceView(device: PushDeviceRow, session: string): PushDevice {
  return {
    id: device.id,
    name: device.name,
    is_current: device.session === session,
    with_names: device.withNames,
    created_time: timeText(device.createdAt),
    sent_time: maybeTimeText(device.sentAt) ?? '',
  };
}

export function mountPushes(
  api: Api,
  { pushes, identity }: { pushes: Pushes; identity: Pick<PushIdentity, 'publicKey'> },
): void {
  api.handle(pushApi.look, async ({ viewer }) => ({
    public_key: identity.publicKey,
    devices: (await pushes.list(viewer.account)).map((device) => deviceView(device, viewer.session)),
  }));

  api.handle(pushApi.subscribe, async ({ body, viewer, caller }) => {
    const { endpoint, p256dh, auth, with_names: withNames = false } = body;
    const { account, session } = viewer;
    const device = await pushes.subscribe({
      endpoint,
      p256dh,
      auth,
      withNames,
      account,
      session,
      name: deviceName(caller.userAgent),
      locale: caller.locale,
    });
    return deviceView(device, session);
  });

  api.handle(pushApi.unsubscribe, async ({ params, viewer }) => {
    await pushes.unsubscribe(viewer.account, params.id);
    return {};
  });
}
