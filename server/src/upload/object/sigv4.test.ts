import { describe, expect, test } from 'vitest';
import { SignatureMalformed, type ObjectRequest } from './object-signature.ts';
import { readSigV4 } from './sigv4.ts';

// Examples of Amazon's own documentation ("Authenticating Requests: Using the Authorization Header" and
// "Using Query Parameters"), signed with its published example key.
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const SCOPE = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const host = 'examplebucket.s3.amazonaws.com';

function request(method: string, url: string, headers: Record<string, string>): ObjectRequest {
  const [path = '', query = ''] = url.split('?');
  return { method, path, query, headers: { host, ...headers }, hosts: [host] };
}

const authorization = (signedHeaders: string, signature: string): string =>
  `AWS4-HMAC-SHA256 Credential=${SCOPE},SignedHeaders=${signedHeaders},Signature=${signature}`;

const examples: [string, ObjectRequest][] = [
  [
    'a GET with a range',
    request('GET', '/test.txt', {
      range: 'bytes=0-9',
      'x-amz-content-sha256': EMPTY,
      'x-amz-date': '20130524T000000Z',
      authorization: authorization(
        'host;range;x-amz-content-sha256;x-amz-date',
        'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      ),
    }),
  ],
  [
    'a PUT with an escaped key and a signed date header',
    request('PUT', '/test%24file.text', {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-date': '20130524T000000Z',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      authorization: authorization(
        'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      ),
    }),
  ],
  [
    'a query parameter without a value',
    request('GET', '/?lifecycle', {
      'x-amz-content-sha256': EMPTY,
      'x-amz-date': '20130524T000000Z',
      authorization: authorization(
        'host;x-amz-content-sha256;x-amz-date',
        'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
      ),
    }),
  ],
  [
    'query parameters in any order',
    request('GET', '/?prefix=J&max-keys=2', {
      'x-amz-content-sha256': EMPTY,
      'x-amz-date': '20130524T000000Z',
      authorization: authorization(
        'host;x-amz-content-sha256;x-amz-date',
        '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
      ),
    }),
  ],
  [
    'a link that was signed in advance',
    request(
      'GET',
      `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(SCOPE)}&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
      {},
    ),
  ],
];

describe('published signatures', () => {
  test.each(examples)('%s matches its published signature', (_what, signed) => {
    const signature = readSigV4(signed)!;
    expect(signature.accessKey).toBe('AKIAIOSFODNN7EXAMPLE');
    expect(signature.signedAt).toBe(Date.UTC(2013, 4, 24));
    expect(signature.matches(SECRET)).toBe(true);
    expect(signature.matches(`${SECRET}!`)).toBe(false);
  });

  test.each(examples)('%s does not match another method, path, host or query', (_what, signed) => {
    const changed: ObjectRequest[] = [
      { ...signed, method: 'DELETE' },
      { ...signed, path: `${signed.path}x` },
      { ...signed, hosts: ['elsewhere.example'] },
      { ...signed, query: signed.query === '' ? 'acl' : `${signed.query}&acl` },
    ];
    for (const request of changed) expect(readSigV4(request)!.matches(SECRET)).toBe(false);
  });
});

test('the signed host is the one that the client used, even behind a proxy', () => {
  const [, signed] = examples[0]!;
  expect(readSigV4({ ...signed, hosts: ['internal:3000', host] })!.matches(SECRET)).toBe(true);
});

test('a request without a signature is recognized as unsigned', () => {
  expect(readSigV4(request('GET', '/test.txt', { authorization: 'Bearer abc' }))).toBeUndefined();
});

test.each([
  ['no credential', 'AWS4-HMAC-SHA256 SignedHeaders=host,Signature=aa'],
  ['an unsigned host', authorization('x-amz-date', 'a'.repeat(64))],
  ['an invalid signature', authorization('host', 'xyz')],
  ['nothing', 'AWS4-HMAC-SHA256'],
])('a header with %s is rejected as malformed', (_what, header) => {
  expect(() =>
    readSigV4(request('GET', '/', { authorization: header, 'x-amz-date': '20130524T000000Z' })),
  ).toThrow(SignatureMalformed);
});

test('a malformed escape is rejected', () => {
  const signed = request('GET', '/%zz', {
    authorization: authorization('host', 'a'.repeat(64)),
    'x-amz-date': '20130524T000000Z',
  });
  expect(() => readSigV4(signed)).toThrow(SignatureMalformed);
});
