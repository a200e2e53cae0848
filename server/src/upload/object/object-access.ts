import type { Clock, Keys } from '../../foundation/index.ts';
import type { ChunkSigner, ObjectRequest, Signature } from './object-signature.ts';
import type { FormClaim } from './object-form.ts';
import { ObjectRefusal } from './object-refusals.ts';
import { readOssV1 } from './oss-v1.ts';
import { readOssV4 } from './oss-v4.ts';
import { readSigV4 } from './sigv4.ts';

/** Tolerated clock skew of a client. */
const SKEW_MS = 15 * 60 * 1000;
const DIALECTS: readonly ((request: ObjectRequest) => Signature | undefined)[] = [
  readSigV4,
  readOssV1,
  readOssV4,
];

export interface ObjectAccess {
  /** Credentials for an upload's object; they are derived, so nothing is stored. */
  credentials(upload: string): { secret: string; securityToken: string };
  /**
   * Upload whose ticket signed the request, and the signed hash of the body; throws {@link ObjectRefusal}.
   */
  check(request: ObjectRequest): { upload: string; payload: string; chunks: ChunkSigner | undefined };
  /** Upload that a form is for; throws {@link ObjectRefusal}. */
  checkForm(form: FormClaim): string;
}

/** Access of a ticket to its own object, and no other. */
export function createObjectAccess({ keys, clock }: { keys: Keys; clock: Clock }): ObjectAccess {
  const secretOf = (upload: string): string => keys.sign('upload-secret', upload);

  function checkToken({ accessKey, securityToken }: Pick<Signature, 'accessKey' | 'securityToken'>): void {
    const token = securityToken
      ? (keys.open('upload-token', securityToken) as { upload?: unknown } | undefined)
      : undefined;
    if (token?.upload !== accessKey)
      throw new ObjectRefusal('InvalidToken', 'The security token is missing or belongs to another ticket.');
  }

  return {
    credentials: (upload) => ({
      secret: secretOf(upload),
      securityToken: keys.seal('upload-token', { upload }),
    }),

    check(request) {
      const signature = DIALECTS.values()
        .map((read) => read(request))
        .find((found) => found !== undefined);
      if (!signature) throw new ObjectRefusal('AccessDenied', 'The request is not signed.');
      const age = clock.now() - signature.signedAt;
      if (age < -SKEW_MS || (signature.goodForMs === undefined && age > SKEW_MS))
        throw new ObjectRefusal('RequestTimeTooSkewed', "The request's time is too far from the server's.");
      if (!signature.matches(secretOf(signature.accessKey)))
        throw new ObjectRefusal(
          'SignatureDoesNotMatch',
          'The signature does not match; check key, secret and what was signed.',
        );
      if (signature.goodForMs !== undefined && age > signature.goodForMs)
        throw new ObjectRefusal('AccessDenied', 'The signed link has expired.');
      checkToken(signature);
      return {
        upload: signature.accessKey,
        payload: signature.payload,
        chunks: signature.chunks?.(secretOf(signature.accessKey)),
      };
    },

    checkForm(form) {
      if (!form.matches(secretOf(form.accessKey)))
        throw new ObjectRefusal('SignatureDoesNotMatch', "The form's signature does not match its policy.");
      if (form.expiresAt <= clock.now())
        throw new ObjectRefusal('AccessDenied', "The form's policy has expired.");
      checkToken(form);
      if (form.key !== form.accessKey)
        throw new ObjectRefusal('AccessDenied', 'The ticket is for another object.');
      return form.accessKey;
    },
  };
}
