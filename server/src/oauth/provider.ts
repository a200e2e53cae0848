/** Settings of the OpenID provider whose accounts can sign in here. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly label: string;
  /** Mail domains that may sign in; empty for all. */
  readonly domains: readonly string[];
  /** Creates an account for a new user if true. */
  readonly signUp: boolean;
}

/** The identity of a user at the provider. */
export interface Vouched {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly name: string;
}

/** A sign-in in progress: secrets shared by this browser and the server. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Protocol between this service and the provider. */
export interface OpenidClient {
  /** Returns the address of the provider's sign-in page. */
  begin(login: PendingLogin, redirectUri: string): Promise<string>;
  /** Exchanges the code for the user's identity. */
  finish(
    answer: { code: string; iss: string | undefined },
    login: PendingLogin,
    redirectUri: string,
  ): Promise<Vouched>;
}

/**
 * The configured provider. Throws `third_party_failed` if its answer is invalid, `temporarily_unavailable` if it does
 * not answer.
 */
export interface Provider extends OpenidClient {
  readonly settings: ProviderSettings;
}
