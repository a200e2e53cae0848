import type { IncomingHttpHeaders } from 'node:http';

/** A request of the object protocol as its signature sees it. */
export interface ObjectRequest {
  readonly method: string;
  /** As it was sent: still escaped, without the query. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Host names that the client may have used: the Host it sent, and the value from a trusted proxy. */
  readonly hosts: readonly string[];
}

/** Signature, parsed but not verified. Each signature dialect returns one of these. */
export interface Signature {
  readonly accessKey: string;
  /** "" where the request carries none. */
  readonly securityToken: string;
  /** When it was signed, in milliseconds. */
  readonly signedAt: number;
  /** Set on links that were signed in advance: for how long they are good. */
  readonly goodForMs: number | undefined;
  /** Signed value for the body: lower-case hex of its SHA-256, or a word such as UNSIGNED-PAYLOAD. */
  readonly payload: string;
  /** Set where each chunk of the body is signed as well: what judges them, made with the secret. */
  readonly chunks?: (secret: string) => ChunkSigner;
  /** Returns whether it was made with this secret; takes the same time whatever differs. */
  matches(secret: string): boolean;
}

/** Follows the chain of signatures of a body that is sent in chunks, each of which signs the one before it. */
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

/** There is a signature, but it can't be read. */
export class SignatureMalformed extends Error {
  override name = 'SignatureMalformed';
}
