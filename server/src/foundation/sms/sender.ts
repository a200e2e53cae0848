export interface Sms {
  /** E.164: `+491701234567`. */
  readonly to: string;
  readonly text: string;
}

export interface SmsSender {
  /**
   * Resolves once the provider has accepted the message; {@link SmsRefusal} if it never will for this number.
   */
  send(sms: Sms): Promise<void>;
}

/** Thrown if the provider will never be able to reach this number. */
export class SmsRefusal extends Error {
  override name = 'SmsRefusal';
}
