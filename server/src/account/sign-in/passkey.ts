/** Key on one of a member's devices. */
export interface PasskeyRow {
  /** Id assigned by the authenticator; base64url. */
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | undefined;
}
