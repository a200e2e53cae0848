import { webdavApi, type DavApplication } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { DavControls } from './dav-control-service.ts';
import { DAV_PATH } from './dav.ts';

type Pass = Awaited<ReturnType<DavControls['applications']>>['passes'][number];

const applicationView = (pass: Pass, username: string): DavApplication => ({
  id: pass.id,
  application_name: pass.name,
  username,
  create_time: timeText(pass.createdAt),
  expire_time: maybeTimeText(pass.expiresAt),
  last_used_time: maybeTimeText(pass.usedAt),
});

export function mountDavControls(api: Api, controls: DavControls): void {
  api.handle(webdavApi.applications, async ({ viewer: { account }, caller }) => {
    const { passes, username } = await controls.applications(account);
    return {
      enable: await controls.isOpen(account),
      address: `${caller.origin}${DAV_PATH}/`,
      applications: passes.map((pass) => applicationView(pass, username)),
    };
  });

  api.handle(webdavApi.create, async ({ body, viewer, caller: { address } }) => {
    const owner = { password: body.password, address };
    const { pass, secret, username } = await controls.create(viewer.account, body.application_name, owner);
    return { application: applicationView(pass, username), username, password: secret };
  });

  api.handle(webdavApi.remove, async ({ query, viewer }) => {
    await controls.remove(viewer.account, query.id);
    return {};
  });

  api.handle(webdavApi.toggle, async ({ body, viewer }) => {
    await controls.toggle(viewer.account, body.enable);
    return { enable: body.enable };
  });
}
