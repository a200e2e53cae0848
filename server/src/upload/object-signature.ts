import type { IncomingHttpHeaders } from 'node:http';

/** A request of the object protocol as its signature sees it. */
export interface ObjectRequest {
  readonly method: string;
  /** As it was sent: still escaped, without the query. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The names under which the client may have known this server: the Host it sent, and what a trusted proxy says of it. */
  readonly hosts: readonly string[];
}

/** A signature, read but not checked yet. Each dialect of signatures gives one of these. */
export interface Signature {
  readonly accessKey: string;
  /** "" where the request carries none. */
  readonly securityToken: string;
  /** When it was signed, in milliseconds. */
  readonly signedAt: number;
  /** Set on links that were signed in advance: for how long they are good. */
  readonly goodForMs: number | undefined;
  /** What was signed of the body: lower-case hex of its SHA-256, or a word such as UNSIGNED-PAYLOAD. */
  readonly payload: string;
  /** Set where each chunk of the body is signed as well: what judges them, made with the secret. */
  readonly chunks?: (secret: string) => ChunkSigner;
  /** Whether it was made with this secret; takes the same time whatever is wrong. */
  matches(secret: string): boolean;
}

/** Follows the chain of signatures of a body that is sent in chunks, each of which signs the one before it. */
export interface ChunkSigner {
  /** What the next chunk's signature must be, lower-case hex, by the SHA-256 of its content. */
  next(contentHash: Buffer): string;
}

/** Whether a request is signed as for OSS, well or badly: its clients read other answers than those of S3. */
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
