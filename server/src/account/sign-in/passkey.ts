/** A key that one of a member's devices keeps. */
export interface PasskeyRow {
  /** As the authenticator named it; base64url. */
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | undefined;
}
