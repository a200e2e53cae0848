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

/** Result of an account form's action if it doesn't redirect. */
export interface FormResult {
  readonly done?: true;
  readonly failure?: {
    readonly id: ErrorId;
    readonly facts: Readonly<Record<string, string>>;
    readonly text: string | undefined;
    readonly field: AccountField | undefined;
  };
  /** Input to be shown again; never passwords or codes. The address may be a phone number. */
  readonly typed?: { readonly email: string; readonly name: string };
  /** The password was correct, and the second step is required. */
  readonly secondFactor?: { readonly ticket: string };
  /**
   * All credentials were correct, but the account is being deleted: the ticket with which its owner can keep
   * it, and the deadline.
   */
  readonly keep?: { readonly ticket: string; readonly closesAt: string };
  /** Address of a download. */
  readonly url?: string;
  /** Secret for an authenticator app. */
  readonly app?: { readonly secret: string; readonly uri: string };
  /** Options for an authenticator that creates a new passkey, and the passkey's name. */
  readonly question?: ReplyOf<typeof securityApi.beginPasskey>;
  readonly passkeyName?: string;
  /** Secret of an app password or token that was just created. */
  readonly secret?: string;
  /** For the owner to keep; shown once. */
  readonly recoveryCodes?: readonly string[];
  /** A code was sent to the address. */
  readonly verification?: {
    readonly id: string;
    /** Seconds until another code may be requested; undefined if the reply didn't contain it. */
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

/** Returns true if the input can't be an email address or phone number. */
export const isWrongAddress = ({ id, facts }: Pick<ApiFailure, 'id' | 'facts'>): boolean =>
  id === 'invalid_argument' && ['email', 'phone_number'].includes(facts['field'] ?? '');

/** Parses a field that accepts an email address or a phone number. */
export function addressIn(form: FormData): { email: string } | { phone_number: string } {
  const typed = textOf(form, 'email').trim();
  return isMail(typed) ? { email: typed } : { phone_number: typed };
}

export const isMail = (address: string): boolean => address.includes('@');

/** Placeholder for a code's id if no code is needed. */
export const NO_CODE = 'none';

/**
 * Keeps the form at the code that was sent before, which is still valid; includes the wait if another one was
 * requested too soon.
 */
export function stillSent(verificationId: string, error: unknown): Partial<FormResult> {
  if (verificationId === '') return {};
  const isTooSoon = isApiFailure(error) && error.id === 'verification_too_frequent';
  const retryIn = isTooSoon ? Number(error.facts['retry_in']) || undefined : undefined;
  return { verification: { id: verificationId, retryIn } };
}

/**
 * Returns the form with its error, at the field named by `fields` or by convention. Rethrows errors other
 * than refusals.
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
