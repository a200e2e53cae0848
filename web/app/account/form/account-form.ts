import { data } from 'react-router';
import {
  isApiFailure,
  type ApiFailure,
  type ErrorId,
  type ReplyOf,
  type securityApi,
} from '@bowerbird/contract';
import { textOf } from '#app/browser/form-text.ts';

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
  /** What was typed, to be shown again; never passwords or codes. The address may be a phone number. */
  readonly typed?: { readonly email: string; readonly name: string };
  /** The password was right, and a second factor is asked for. */
  readonly secondFactor?: { readonly ticket: string };
  /** All was right, and the account is being deleted: what lets its owner keep it, and until when. */
  readonly keep?: { readonly ticket: string; readonly closesAt: string };
  /** Where something is downloaded. */
  readonly url?: string;
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
  readonly verification?: {
    readonly id: string;
    /** Seconds until another may be asked for; undefined where that was not said anew. */
    readonly retryIn: number | undefined;
  };
}

const FIELD_OF: Partial<Record<ErrorId, AccountField>> = {
  email_taken: 'email',
  phone_taken: 'email',
  phone_country_unsupported: 'email',
  password_too_weak: 'password',
  invalid_password: 'password',
  second_factor_wrong: 'code',
  recovery_code_wrong: 'recoveryCode',
  verification_code_wrong: 'code',
  verification_code_expired: 'code',
};

/** What was typed can't be an address or number. */
export const isWrongAddress = ({ id, facts }: Pick<ApiFailure, 'id' | 'facts'>): boolean =>
  id === 'invalid_argument' && ['email', 'phone_number'].includes(facts['field'] ?? '');

/** What was typed where an address of mail or a phone number may stand. */
export function addressIn(form: FormData): { email: string } | { phone_number: string } {
  const typed = textOf(form, 'email').trim();
  return isMail(typed) ? { email: typed } : { phone_number: typed };
}

export const isMail = (address: string): boolean => address.includes('@');

/** In place of the id of a code, where none is needed. */
export const NO_CODE = 'none';

/** The code that was sent before still counts, and how long to wait for another, where that was refused. */
export function stillSent(verificationId: string, error: unknown): Partial<FormResult> {
  if (verificationId === '') return {};
  const isTooSoon = isApiFailure(error) && error.id === 'verification_too_frequent';
  const retryIn = isTooSoon ? Number(error.facts['retry_in']) || undefined : undefined;
  return { verification: { id: verificationId, retryIn } };
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
      field: fields[error.id] ?? FIELD_OF[error.id] ?? (isWrongAddress(error) ? 'email' : undefined),
    },
    typed: { email: textOf(form, 'email').trim(), name: textOf(form, 'name') },
    ...extra,
  };
  return data(result, { status: error.status });
}
