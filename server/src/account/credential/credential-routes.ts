import { securityApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import { maybeTimeText } from '../../foundation/index.ts';
import { passView } from './credential-view.ts';
import type { Passes } from './pass-service.ts';
import { ownerOf } from './password-check.ts';
import type { SecondFactors } from './second-factor-service.ts';

interface Parts {
  secondFactors: SecondFactors;
  passes: Passes;
}

/** Endpoints for an owner's second factor and passes. */
export function mountCredentials(api: Api, { secondFactors, passes }: Parts): void {
  api.handle(securityApi.secondFactor, async ({ viewer }) => {
    const { since, codesLeft, devices } = await secondFactors.state(viewer.account);
    return {
      on: since !== undefined,
      since: maybeTimeText(since),
      recovery_codes_left: codesLeft,
      trusted_devices: devices,
    };
  });

  api.handle(securityApi.beginSecondFactor, ({ body, viewer, caller }) =>
    secondFactors.begin(ownerOf(viewer.account, body.password, caller)),
  );

  api.handle(securityApi.confirmSecondFactor, async ({ body, viewer, caller }) => ({
    recovery_codes: await secondFactors.confirm(viewer.account, body.code, caller.address),
  }));

  api.handle(securityApi.renewRecoveryCodes, async ({ body, viewer, caller }) => ({
    recovery_codes: await secondFactors.renewCodes(ownerOf(viewer.account, body.password, caller)),
  }));

  api.handle(securityApi.endSecondFactor, async ({ body, viewer, caller }) => {
    await secondFactors.end(ownerOf(viewer.account, body.password, caller));
    return {};
  });

  api.handle(securityApi.forgetTrustedDevices, async ({ viewer }) => {
    await secondFactors.forgetDevices(viewer.account);
    return {};
  });

  api.handle(securityApi.listPasses, async ({ viewer }) => ({
    passes: (await passes.list(viewer.account)).map(passView),
  }));

  api.handle(securityApi.createPass, async ({ body, viewer, caller }) => {
    const { password, kind, name, scopes, days } = body;
    const owner = { password, address: caller.address };
    const { pass, secret } = await passes.create(viewer.account, { kind, name, scopes, days }, owner);
    return { pass: passView(pass), secret };
  });

  api.handle(securityApi.revokePass, async ({ body, viewer, caller }) => {
    await passes.revokeByOwner(ownerOf(viewer.account, body.password, caller), body.id);
    return {};
  });
}
