import { driveApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Looks } from './look-service.ts';
import type { Pins } from './pin-service.ts';

/** Looks of folders, and pinned folders. */
export function mountFolders(api: Api, { looks, pins }: { looks: Looks; pins: Pins }): void {
  api.handle(driveApi.look, { underKey: 'joined' }, async ({ body, viewer }) => ({
    before: await looks.change(viewer.account, body.ids, body),
  }));

  api.handle(driveApi.pins, async ({ viewer }) => ({ pins: await pins.list(viewer.account) }));

  api.handle(driveApi.pin, { underKey: 'joined' }, async ({ body, viewer }) => {
    await pins.add(viewer.account, body.id, body.name ?? '');
    return {};
  });

  api.handle(driveApi.renamePin, { underKey: 'joined' }, async ({ params, body, viewer }) => {
    await pins.rename(viewer.account, params.id, body.name ?? '');
    return {};
  });

  api.handle(driveApi.unpin, { underKey: 'joined' }, async ({ params, viewer }) => {
    await pins.remove(viewer.account, params.id);
    return {};
  });

  api.handle(driveApi.orderPins, { underKey: 'joined' }, async ({ body, viewer }) => {
    await pins.order(viewer.account, body.ids);
    return {};
  });
}
