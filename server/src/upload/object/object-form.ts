import { createHmac, timingSafeEqual } from 'node:crypto';
import { LIMITS, type UploadForm } from '@bowerbird/contract';
import { BUCKET } from '../upload.ts';

/** Contents of the fields of a form. */
export interface FormClaim {
  readonly accessKey: string;
  readonly securityToken: string;
  readonly key: string;
  /** Milliseconds; in the past if the policy has no valid value. */
  readonly expiresAt: number;
  matches(secret: string): boolean;
}

const sign = (secret: string, policy: string): Buffer => createHmac('sha1', secret).update(policy).digest();

/** Form that can upload one object only. */
export function makeForm(
  upload: { id: string; createdAt: number },
  { secret, securityToken }: { secret: string; securityToken: string },
  origin: string,
): UploadForm {
  const expiration = new Date(upload.createdAt + LIMITS.uploadTicketSeconds * 1000).toISOString();
  const conditions = [{ bucket: BUCKET }, ['eq', '$key', upload.id]];
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  return {
    kind: 'drive#form',
    method: 'POST',
    url: `${origin}/${BUCKET}`,
    headers: {},
    multi_parts: {
      OSSAccessKeyId: upload.id,
      Signature: sign(secret, policy).toString('base64'),
      callback: '',
      key: upload.id,
      policy,
      'x:user_data': '',
      'x-oss-security-token': securityToken,
    },
  };
}

export function readForm(fields: ReadonlyMap<string, string>): FormClaim {
  const field = (name: string): string => fields.get(name) ?? '';
  const policy = field('policy');
  const signature = Buffer.from(field('signature'), 'base64');
  return {
    accessKey: field('ossaccesskeyid'),
    securityToken: field('x-oss-security-token'),
    key: field('key'),
    expiresAt: expiryOf(policy),
    matches(secret) {
      const expected = sign(secret, policy);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
}

function expiryOf(policy: string): number {
  try {
    const { expiration } = JSON.parse(Buffer.from(policy, 'base64').toString()) as { expiration?: unknown };
    return typeof expiration === 'string' ? Date.parse(expiration) || 0 : 0;
  } catch {
    return 0;
  }
}
