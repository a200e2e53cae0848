import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signRequest } from './signature.ts';

const ticket = {
  access_key_id: 'AKID',
  access_key_secret: 'secret',
  security_token: 'tok/en+=',
  bucket: 'bucket',
  endpoint: 'drive.test',
  key: 'V01',
  expiration: '',
};

test('a request has the version 4 signature that this test computes independently', async () => {
  const now = new Date('2026-11-27T12:34:56.789Z');
  const signed = await signRequest(
    ticket,
    'PUT',
    { uploadId: 'a b', partNumber: '2' },
    { origin: 'https://drive.test', host: 'drive.test', now },
  );
  expect(signed.url).toBe('https://drive.test/bucket/V01?partNumber=2&uploadId=a%20b');
  const canonical = [
    'PUT',
    '/bucket/V01',
    'partNumber=2&uploadId=a%20b',
    'host:drive.test',
    'x-amz-content-sha256:UNSIGNED-PAYLOAD',
    'x-amz-date:20261127T123456Z',
    'x-amz-security-token:tok/en+=',
    '',
    'host;x-amz-content-sha256;x-amz-date;x-amz-security-token',
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const key = ['us-east-1', 's3', 'aws4_request'].reduce(
    (at, text) => hmac(at, text),
    hmac('AWS4secret', '20261127'),
  );
  const text = [
    'AWS4-HMAC-SHA256',
    '20261127T123456Z',
    '20261127/us-east-1/s3/aws4_request',
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  expect(signed.headers['authorization']).toContain(`Signature=${hmac(key, text).toString('hex')}`);
  expect(signed.headers).not.toHaveProperty('host');
});
