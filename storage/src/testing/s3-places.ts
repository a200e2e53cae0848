import { randomBytes } from 'node:crypto';
import { openS3Store, s3PlaceOf } from '../s3-store.ts';
import type { S3Limits } from '../s3-limits.ts';
import type { S3Place } from '../s3-store.ts';

/** The S3 service that the tests use. */
export function testAddress(): URL {
  const address = process.env['TEST_S3_URL'];
  if (address) return new URL(address);
  throw new Error(
    'TEST_S3_URL is not set: start a service with tools/services/radosgw-up.sh, which prints it',
  );
}

/** A separate prefix within the bucket. */
export function freshPlace(
  prefix = `run-${randomBytes(6).toString('hex')}/`,
  host?: string,
  limits?: S3Limits,
): S3Place {
  const address = testAddress();
  if (host !== undefined) address.host = host;
  return { ...s3PlaceOf(address, limits), prefix };
}

/** A store whose requests fail from the given one on. */
export async function dyingStore(prefix: string, dieAfter: number) {
  const place = freshPlace(prefix);
  let left = Number.POSITIVE_INFINITY;
  place.client.middlewareStack.add(
    (next) => (request) => {
      if (left-- <= 0) throw new Error('killed');
      return next(request);
    },
    // Outside the retries, since a dead process would not retry.
    { step: 'initialize' },
  );
  const store = await openS3Store(place);
  left = dieAfter;
  return { store, died: () => left < 0 };
}
