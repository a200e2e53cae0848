import { data } from 'react-router';
import { isApiFailure, type ErrorId, type ReplyOf, type securityApi } from '@bowerbird/contract';

export type AccountField = 'email' | 'password' | 'newPassword' | 'name' | 'code' | 'recoveryCode' | 'link';

/** What an account form's action answers where it does not redirect. */
export interface FormResult {
  readonly done?: true;
  readonly failure?: {
    readonly id: ErrorId;
    readonly facts: Readonly<Record<string, string>>;
    readonly text: string | undefined;
    readonly field: AccountField | undefined;
  };
  /** What was typed, to be shown again; never passwords or codes. */
  readonly typed?: { readonly email: string; readonly name: string };
  /** The password was right, and a second factor is asked for. */
  readonly secondFactor?: { readonly ticket: string };
  /** What an authenticator app is to keep. */
  readonly app?: { readonly secret: string; readonly uri: string };
  /** What an authenticator is to be asked for a new passkey, and what that shall be called. */
  readonly question?: ReplyOf<typeof securityApi.beginPasskey>;
  readonly passkeyName?: string;
  /** Of an app password or token that was made just now. */
  readonly secret?: string;
  /** To be kept by their owner; shown once. */
  readonly recoveryCodes?: readonly string[];
  /** A code is on its way to the address. */
  readonly verification?: { readonly id: string; readonly retryIn: number };
}

const FIELD_OF: Partial<Record<ErrorId, AccountField>> = {
  email_taken: 'email',
  password_too_weak: 'password',
  invalid_password: 'password',
  second_factor_wrong: 'code',
  recovery_code_wrong: 'recoveryCode',
  verification_code_wrong: 'code',
  verification_code_expired: 'code',
};

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/**
 * The form again, with what was wrong, at the field that `fields` or habit says. Anything that is not a refusal goes on
 * as the fault it is.
 */
export function refused(
  error: unknown,
  form: FormData,
  extra: Partial<FormResult> = {},
  fields: Partial<Record<ErrorId, AccountField>> = {},
) {
  if (!isApiFailure(error)) throw error;
  const result: FormResult = {
    failure: {
      id: error.id,
      facts: error.facts,
      text: error.text,
      field: fields[error.id] ?? FIELD_OF[error.id],
    },
    typed: { email: textOf(form, 'email').trim(), name: textOf(form, 'name') },
    ...extra,
  };
  return data(result, { status: error.status });
}
