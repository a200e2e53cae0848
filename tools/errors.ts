import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS, ERRORS } from '@bowerbird/contract';

// `npm run errors` writes docs/errors.md from the catalogue of errors, their English texts and the endpoints.

const root = join(import.meta.dirname, '..');

export const errorsPage = join(root, 'docs', 'errors.md');

const introduction = `# Errors

<!-- Written by npm run errors from contract/src/errors.ts: change it there. -->

Every reply with a status of 400 or more is JSON: \`error\` (the identifier below, which programs decide on), \`error_code\` (its number), \`error_description\` (for people, in the language of the request), \`error_url\` (where the reference of the installation explains it), and \`details\` with an ErrorInfo that holds facts such as \`retry_in\` in seconds, and a LocalizedMessage. Numbers are those of the protocol family and shared by kin; number 9 says “captcha” and nothing else, because clients answer it with a new captcha for ever.

Any call may raise \`invalid_argument\`, \`internal\` and \`unavailable\`, calls for members \`unauthenticated\`, and changes that were sent with an \`Idempotency-Key\` \`outcome_unknown\`; the last column names who raises an error besides.

| identifier | number | status | text | raised by |
|---|---|---|---|---|
`;

/** The page as it should be. */
export async function errorsText(): Promise<string> {
  const texts = JSON.parse(await readFile(join(root, 'locales', 'en-US.json'), 'utf8')) as Record<
    string,
    string
  >;
  const rows = Object.entries(ERRORS).map(([id, { code, status }]) => {
    const calls = ENDPOINTS.filter((spec) => (spec.errors as readonly string[] | undefined)?.includes(id));
    const names = calls.map((spec) => `\`${spec.name}\``).join(' ');
    return `| \`${id}\` | ${code} | ${status} | ${texts[`error.${id}`] ?? ''} | ${names} |`;
  });
  return `${introduction}${rows.join('\n')}\n`;
}

if (import.meta.main) await writeFile(errorsPage, await errorsText());
