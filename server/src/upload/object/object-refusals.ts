import type { ErrorId } from '@bowerbird/contract';
import { PartSuperseded, PartTooLarge, SizeMismatch, StagingGone } from '@bowerbird/storage';
import { failureOf, isBrokenConnection } from '../../foundation/http/index.ts';
import { BadChunks, ChunkForged } from './aws-chunked.ts';
import { BadForm } from './multipart-form.ts';
import { SignatureMalformed } from './object-signature.ts';
import { PartsRefused } from '../upload.ts';

/** Errors of the object protocol: its codes, and their HTTP status. */
export const REFUSALS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  ExpiredToken: 403,
  FileAlreadyExists: 409,
  IncompleteBody: 400,
  InsufficientStorage: 507,
  InternalError: 500,
  InvalidArgument: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidRequest: 400,
  InvalidToken: 403,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  OperationAborted: 409,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
  RequestTimeTooSkewed: 403,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** Error of the object protocol; `reason` is the identifier of the error catalog if one fits. */
export class ObjectRefusal extends Error {
  readonly code: RefusalCode;
  readonly reason: ErrorId | undefined;

  constructor(code: RefusalCode, message: string, reason?: ErrorId) {
    super(message);
    this.name = 'ObjectRefusal';
    this.code = code;
    this.reason = reason;
  }

  get status(): number {
    return REFUSALS[this.code];
  }
}

const CODES: Partial<Record<ErrorId, readonly [RefusalCode, string]>> = {
  upload_not_found: [
    'NoSuchUpload',
    'The upload does not exist. It may have been completed or aborted, or have expired.',
  ],
  upload_size_mismatch: [
    'EntityTooSmall',
    'The size of the content differs from the declared size of the file.',
  ],
  file_space_not_enough: ['QuotaExceeded', 'The drive has no space left for the file.'],
  traffic_upload_limit: ['QuotaExceeded', 'This month’s upload traffic is used up.'],
  disk_full: ['InsufficientStorage', 'The disk of the server is full. Existing files are not affected.'],
  file_duplicated_name: ['PreconditionFailed', 'The folder already has a file with this name.'],
  file_not_found: ['PreconditionFailed', 'The folder for the file no longer exists.'],
  transfer_encoding_unsupported: ['NotImplemented', 'The only supported transfer encoding is chunked.'],
  already_exists: ['FileAlreadyExists', 'The file was already uploaded with different content.'],
  invalid_argument: ['InvalidArgument', 'The request is not valid.'],
  unavailable: ['ServiceUnavailable', 'Please try again.'],
  temporarily_unavailable: ['ServiceUnavailable', 'Please try again.'],
};

/** Error of the object protocol for anything thrown. */
export function refusalOf(error: unknown): ObjectRefusal {
  if (error instanceof ObjectRefusal) return error;
  if (error instanceof StagingGone) return refusalFor('upload_not_found');
  if (error instanceof PartSuperseded)
    return new ObjectRefusal('OperationAborted', 'The same part was written again meanwhile.');
  if (error instanceof PartTooLarge)
    return new ObjectRefusal(
      'EntityTooLarge',
      'The file was announced to be smaller.',
      'upload_size_mismatch',
    );
  if (error instanceof SizeMismatch) {
    const longer = error.received > error.expected;
    return new ObjectRefusal(
      longer ? 'EntityTooLarge' : 'EntityTooSmall',
      CODES.upload_size_mismatch![1],
      'upload_size_mismatch',
    );
  }
  if (error instanceof PartsRefused)
    return new ObjectRefusal(error.wrong === 'part' ? 'InvalidPart' : 'InvalidPartOrder', error.message);
  if (error instanceof BadChunks)
    return new ObjectRefusal('IncompleteBody', `The body's framing is broken: ${error.message}.`);
  if (error instanceof ChunkForged)
    return new ObjectRefusal('SignatureDoesNotMatch', 'A chunk does not match its signature.');
  if (error instanceof BadForm)
    return new ObjectRefusal('InvalidRequest', `The form can't be read: ${error.message}.`);
  if (error instanceof SignatureMalformed)
    return new ObjectRefusal(
      'AuthorizationHeaderMalformed',
      `The signature can't be read: ${error.message}.`,
    );
  if (isBrokenConnection(error))
    return new ObjectRefusal('IncompleteBody', 'The connection broke before the body was complete.');
  return refusalFor(failureOf(error).id);
}

function refusalFor(id: ErrorId): ObjectRefusal {
  const [code, message] = CODES[id] ?? ['InternalError', 'Something went wrong.'];
  return new ObjectRefusal(code, message, id);
}
