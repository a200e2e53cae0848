import { contentDisposition } from './content-disposition.ts';

/** Headers of a file that belongs to somebody, and that browsers save instead of showing it. */
export const attachment = (type: string, name: string): Readonly<Record<string, string>> => ({
  'content-type': type,
  'content-disposition': contentDisposition('attachment', name),
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
});
