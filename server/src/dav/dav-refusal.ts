import { LIMITS, type ErrorId } from '@bowerbird/contract';
import { failureOf, isBrokenConnection } from '../foundation/http/index.ts';

/** Precondition of the protocol that a request would violate; part of the error body. */
export type Precondition =
  | 'cannot-modify-protected-property'
  | 'lock-token-matches-request-uri'
  | 'lock-token-submitted'
  | 'no-conflicting-lock'
  | 'propfind-finite-depth'
  | 'quota-not-exceeded'
  | 'resource-must-be-null'
  | 'sufficient-disk-space';

/** Error response of WebDAV. */
export class DavRefusal extends Error {
  readonly status: number;
  readonly precondition: Precondition | undefined;
  /** Conflicting resources, as paths from the root. */
  readonly names: readonly (readonly string[])[];

  constructor(
    status: number,
    message: string,
    precondition?: Precondition,
    names: readonly (readonly string[])[] = [],
  ) {
    super(message);
    this.name = 'DavRefusal';
    this.status = status;
    this.precondition = precondition;
    this.names = names;
  }
}

export const forbidden = (message: string): DavRefusal => new DavRefusal(403, message);
export const notThere = (): DavRefusal => new DavRefusal(404, 'There is no file or folder with this name.');
export const folderMissing = (): DavRefusal => new DavRefusal(409, 'The parent folder does not exist.');
export const malformed = (message: string): DavRefusal => new DavRefusal(400, message);
export const conditionFailed = (message: string): DavRefusal => new DavRefusal(412, message);

const KNOWN: Partial<Record<ErrorId, readonly [number, string, Precondition?]>> = {
  file_space_not_enough: [507, 'The drive has no space left for this.', 'quota-not-exceeded'],
  traffic_upload_limit: [507, 'This month’s upload traffic is used up.', 'quota-not-exceeded'],
  traffic_download_limit: [403, 'This month’s download traffic is used up.'],
  disk_full: [
    507,
    'The disk of the server is full. Existing files are not affected.',
    'sufficient-disk-space',
  ],
  file_not_found: [404, 'The file or folder no longer exists, or is not accessible.'],
  file_name_empty: [400, 'A name is missing.'],
  file_name_invalid: [400, 'A name contains invalid characters.'],
  file_name_too_long: [400, `A name is longer than ${LIMITS.nameBytes} bytes.`],
  file_duplicated_name: [412, 'The name is already in use.', 'resource-must-be-null'],
  file_move_into_itself: [
    403,
    'A folder cannot be moved or copied into itself, or replace one of its parents.',
  ],
  upload_size_mismatch: [400, 'The size of the content differs from the declared size.'],
  transfer_encoding_unsupported: [501, 'The only supported transfer encoding is chunked.'],
  invalid_argument: [400, 'The request is not valid.'],
  operating_file_count_exceeded: [507, 'The limit has been reached.'],
  account_locked_retry: [429, 'Too many wrong passwords from your network. Please wait.'],
  account_locked: [429, 'Too many wrong passwords from your network. Please wait a few minutes.'],
  too_frequent: [429, 'Too many requests from your network. Please wait.'],
  permission_denied: [403, 'This is not allowed.'],
  account_frozen: [403, 'The account is suspended.'],
  account_under_review: [403, 'The account is under review.'],
  account_not_activated: [403, 'The account is waiting for approval by an administrator.'],
  account_in_cancellation: [403, 'The account is being deleted.'],
  unavailable: [503, 'Please try again.'],
  temporarily_unavailable: [503, 'Please try again.'],
};

/** WebDAV error for anything thrown. */
export function refusalOf(error: unknown): DavRefusal {
  if (error instanceof DavRefusal) return error;
  if (isBrokenConnection(error)) return malformed('The connection broke before the body was complete.');
  const { id, status } = failureOf(error);
  const [code, message, precondition] = KNOWN[id] ?? [status, 'Something went wrong.'];
  return new DavRefusal(code, message, precondition);
}
