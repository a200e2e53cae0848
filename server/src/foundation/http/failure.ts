import {
  ApiFailure,
  ERRORS,
  isApiFailure,
  wireError,
  type ErrorDetail,
  type ErrorEnvelope,
  type ErrorId,
  type Locale,
} from '@bowerbird/contract';
import { StorageFull, StorageUnavailable } from '@bowerbird/storage';
import { databaseTrouble } from '../database/index.ts';
import { errorText } from '../messages.ts';

const DOMAIN = 'bowerbird';
/** Seconds in Retry-After for unavailable resources. */
export const RETRY_AFTER = '2';
/** Value of Retry-After for a full disk, which someone has to free first. */
export const RETRY_AFTER_FULL = '60';

/**
 * API error for anything thrown: refusals keep their identifier; everything unknown is `internal` without
 * details.
 */
export function failureOf(error: unknown): ApiFailure {
  if (isApiFailure(error)) return error;
  if (error instanceof StorageFull) return new ApiFailure('disk_full');
  if (error instanceof StorageUnavailable) return new ApiFailure('unavailable');
  const trouble = databaseTrouble(error);
  if (trouble) return new ApiFailure(trouble === 'full' ? 'disk_full' : 'unavailable');
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new ApiFailure(statusCode === 404 ? 'not_found' : 'invalid_argument', {
      reason: typeof code === 'string' ? code : '',
    });
  }
  return new ApiFailure('internal');
}

/** Error body of every response with a status ≥ 400. */
export function envelope(failure: ApiFailure, locale: Locale, origin: string): ErrorEnvelope {
  const text = errorText(locale, failure.id, failure.facts);
  const details: ErrorDetail[] = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: failure.id,
      domain: DOMAIN,
      metadata: { ...failure.facts },
    },
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale, message: text },
  ];
  return {
    error: wireError(failure.id),
    error_code: ERRORS[failure.id].code,
    error_description: text,
    error_url: `${origin}/api-docs#error-${failure.id satisfies ErrorId}`,
    details,
    error_details: details,
  };
}
