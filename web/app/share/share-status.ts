import type { ShareStatus } from '@bowerbird/contract';

/** HTTP status of a share's page, by result. The gate is a regular page until a wrong passcode was entered. */
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

/** HTTP status of the page of a share that didn't open. */
export function httpStatusOf(status: ShareStatus): number {
  return HTTP_STATUS[status] ?? HTTP_STATUS.NOT_FOUND;
}
