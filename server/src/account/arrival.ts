/** How somebody came in, or tried to. */
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

/** One line of the history that an owner sees. */
export interface Arrival {
  readonly id: string;
  readonly account: string;
  readonly way: Way;
  readonly outcome: Outcome;
  readonly address: string;
  readonly userAgent: string;
  readonly clientId: string;
  readonly at: number;
}
