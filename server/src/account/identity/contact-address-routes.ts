import { ApiFailure, matchLocale, securityApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Recipients, Verifications } from '../verification/index.ts';
import type { Profiles } from './profile-service.ts';

interface Parts {
  profiles: Profiles;
  verifications: Verifications;
  recipients: Recipients;
  provesAddresses: boolean;
}

/** Endpoints with which an owner changes the mail address or the phone of an account. */
export function mountContactAddresses(api: Api, parts: Parts): void {
  const { profiles, verifications, recipients, provesAddresses } = parts;

  api.handle(securityApi.sendEmailCode, async ({ body, caller }) => {
    if (!provesAddresses) throw new ApiFailure('unsupported');
    const locale = matchLocale(body.locale) ?? caller.locale;
    const { address } = caller;
    const to = recipients.of({ email: body.email });
    const sent = await verifications.send({
      to,
      usage: 'EMAIL_CHANGE',
      words: 'emailCode',
      locale,
      address,
    });
    return { verification_id: sent.id, retry_in: sent.retryIn, expires_in: sent.expiresIn };
  });

  api.handle(securityApi.changeEmail, async ({ body, viewer: { account }, caller }) => {
    const { email, password, verification_token: proof } = body;
    await profiles.changeEmail({ account, email, password, proof, address: caller.address });
    return {};
  });

  api.handle(securityApi.sendPhoneCode, async ({ body, caller }) => {
    const to = recipients.of({ phone_number: body.phone_number });
    const locale = matchLocale(body.locale) ?? caller.locale;
    const { address } = caller;
    const sent = await verifications.send({ to, usage: 'PHONE_CHANGE', words: 'code', locale, address });
    return { verification_id: sent.id, retry_in: sent.retryIn, expires_in: sent.expiresIn };
  });

  api.handle(securityApi.changePhone, async ({ body, viewer: { account }, caller: { address } }) => {
    const to = recipients.of({ phone_number: body.phone_number });
    const { password, verification_token: proof } = body;
    await profiles.changePhone({ account, to, password, proof, address });
    return {};
  });

  api.handle(securityApi.removePhone, async ({ body, viewer: { account }, caller: { address } }) => {
    await profiles.removePhone({ account, password: body.password, address });
    return {};
  });
}
