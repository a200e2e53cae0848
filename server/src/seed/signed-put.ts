import { createHash, createHmac } from 'node:crypto';
import type { UploadTicket } from '@bowerbird/contract';

/** Path and headers that upload a whole object for a ticket, signed for the S3 dialect. */
export function signedPut(
  {
    bucket,
    key,
    access_key_id: id,
    access_key_secret: secret,
    security_token: token,
  }: UploadTicket['params'],
  host: string,
  now: number,
): { path: string; headers: Record<string, string> } {
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const path = `/${bucket}/${key}`;
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [time.slice(0, 8), 'local', 's3', 'aws4_request'];
  const payload = 'UNSIGNED-PAYLOAD';
  const headers = {
    host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
    'x-amz-security-token': token,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const request = ['PUT', path, '', ...lines, '', names, payload].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), digest].join('\n');
  const signingKey = scope.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`);
  const signature = createHmac('sha256', signingKey).update(text).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  return { path, headers: { ...headers, authorization } };
}
