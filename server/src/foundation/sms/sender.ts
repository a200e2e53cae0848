export interface Sms {
  /** E.164: `+491701234567`. */
  readonly to: string;
  readonly text: string;
}

export interface SmsSender {
  /** Resolves once the provider has taken the message; {@link SmsRefusal} where it never will take one for this number. */
  send(sms: Sms): Promise<void>;
}

/** The provider can't reach this number, and no later try will. */
export class SmsRefusal extends Error {
  override name = 'SmsRefusal';
}
