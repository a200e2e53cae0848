/** Ways to sign in; recorded for refused attempts as well. */
export type Way =
  | 'sign_up'
  | 'password'
  | 'mail_code'
  | 'sms_code'
  | 'second_factor'
  | 'recovery_code'
  | 'passkey'
  | 'app_password'
  | 'app'
  | 'external'
  | 'handover';
export type Outcome = 'in' | 'refused';

/** Entry of the sign-in history that the owner of an account sees. */
export interface SignInRecord {
  readonly id: string;
  readonly account: string;
  readonly way: Way;
  readonly outcome: Outcome;
  readonly address: string;
  readonly userAgent: string;
  readonly clientId: string;
  readonly at: number;
}
