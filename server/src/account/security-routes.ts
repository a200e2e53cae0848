import { securityApi } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import { passView } from './account-view.ts';
import type { Passes } from './pass-service.ts';

interface Parts {
  passes: Passes;
}

/** What an owner may see and do about who gets in. */
export function mountSecurity(api: Api, { passes }: Parts): void {
  api.handle(securityApi.listPasses, async ({ viewer }) => ({
    passes: (await passes.list(viewer.account)).map(passView),
  }));

  api.handle(securityApi.createPass, async ({ body, viewer, caller }) => {
    const { password, kind, name, scopes, days } = body;
    const owner = { password, address: caller.address };
    const { pass, secret } = await passes.create(viewer.account, { kind, name, scopes, days }, owner);
    return { pass: passView(pass), secret };
  });

  api.handle(securityApi.revokePass, async ({ params, viewer }) => {
    await passes.revoke(viewer.account, params.id);
    return {};
  });
}
