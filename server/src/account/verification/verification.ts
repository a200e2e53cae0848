/** Permitted use of a proof. */
export type Usage = 'REGISTER' | 'SIGN_IN' | 'PASSWORD_RESET' | 'EMAIL_CHANGE' | 'PHONE_CHANGE';
/**
 * Texts of mails: a code for one of the usages, or that there is no account to sign in to or to reset a password
 * of.
 */
export type Words = 'code' | 'signInCode' | 'noSignIn' | 'reset' | 'noAccount' | 'emailCode';
