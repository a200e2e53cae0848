import { profileApi } from './profile.ts';
import { signInApi } from './sign-in.ts';
import { signUpApi } from './sign-up.ts';
import { tokenApi } from './token.ts';
import { verificationApi } from './verification.ts';

export { Profile } from './profile.ts';
export { TokenReply } from './token.ts';

export const accountApi = {
  ...verificationApi,
  ...signUpApi,
  ...signInApi,
  ...tokenApi,
  ...profileApi,
};
