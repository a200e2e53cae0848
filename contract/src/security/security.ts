import { credentialApi } from './credential.ts';
import { passApi } from './pass.ts';
import { passkeyApi } from './passkey.ts';
import { secondFactorApi } from './second-factor.ts';
import { sessionApi } from './session.ts';

export { Pass, PASS_KINDS, type PassKind } from './pass.ts';
export { Passkey } from './passkey.ts';
export { Session, SIGN_IN_WAYS, SignIn } from './session.ts';

export const securityApi = {
  ...passkeyApi,
  ...sessionApi,
  ...secondFactorApi,
  ...credentialApi,
  ...passApi,
};
