import type { Static } from 'typebox';
import { oneOf } from '../wire.ts';

export const SHARE_STATUSES = [
  'OK',
  'PASS_CODE_EMPTY',
  'PASS_CODE_ERROR',
  'MAX_RESTORE_COUNT',
  'EXPIRED',
  'DELETED',
  'SENSITIVE_RESOURCE',
  'SENSITIVE_WORD',
  'AUDITING',
  'NOT_FOUND',
  'PROHIBITED',
] as const;
/** The result of checking a share. The HTTP status of a check is always 200. */
export const ShareStatus = oneOf(SHARE_STATUSES);
export type ShareStatus = Static<typeof ShareStatus>;
