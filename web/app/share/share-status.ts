import type { ShareStatus } from '@bowerbird/contract';

/** What the address of a share answers, by what was found. The gate is a page like others until a passcode was wrong. */
const HTTP_STATUS: Readonly<Record<ShareStatus, number>> = {
  OK: 200,
  PASS_CODE_EMPTY: 200,
  PASS_CODE_ERROR: 403,
  NOT_FOUND: 404,
  DELETED: 410,
  EXPIRED: 410,
  MAX_RESTORE_COUNT: 410,
  PROHIBITED: 403,
  AUDITING: 403,
  SENSITIVE_RESOURCE: 403,
  SENSITIVE_WORD: 403,
};

/** Status of the page of a share that did not open. */
export function httpStatusOf(status: ShareStatus): number {
  return HTTP_STATUS[status] ?? HTTP_STATUS.NOT_FOUND;
}
