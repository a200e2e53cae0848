import type { IncomingHttpHeaders } from 'node:http';

/** Request of the object protocol as needed for its signature. */
export interface ObjectRequest {
  readonly method: string;
  /** Path as sent: still escaped, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Host names that the client may have used: the Host it sent, and the value from a trusted proxy. */
  readonly hosts: readonly string[];
}

/** Signature, parsed but not verified. Each signature dialect returns one of these. */
export interface Signature {
  readonly accessKey: string;
  /** "" if the request has none. */
  readonly securityToken: string;
  /** Time of the signature in milliseconds. */
  readonly signedAt: number;
  /** Validity of a presigned link; undefined for other requests. */
  readonly goodForMs: number | undefined;
  /** Signed value for the body: lower-case hex of its SHA-256, or a word such as UNSIGNED-PAYLOAD. */
  readonly payload: string;
  /** Set if each chunk of the body is signed as well: creates their verifier from the secret. */
  readonly chunks?: (secret: string) => ChunkSigner;
  /** Returns whether it was made with this secret; takes the same time whatever differs. */
  matches(secret: string): boolean;
}

/** Verifies the chain of signatures of a body sent in chunks, each of which signs the previous one. */
export interface ChunkSigner {
  /** Expected signature of the next chunk, lower-case hex, from the SHA-256 of its content. */
  next(contentHash: Buffer): string;
}

/**
 * Returns whether a request is signed for OSS, validly or not: its clients expect other responses than those
 * of S3.
 */
export function isOssRequest({ headers, query }: Pick<ObjectRequest, 'headers' | 'query'>): boolean {
  return (
    /^OSS4?[- ]/.test(headers.authorization ?? '') ||
    /(?:^|&)(?:OSSAccessKeyId|x-oss-signature-version)=/.test(query)
  );
}

/** Thrown if there is a malformed signature. */
export class SignatureMalformed extends Error {
  override name = 'SignatureMalformed';
}
