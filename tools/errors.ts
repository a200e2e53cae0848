import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS, ERRORS } from '@bowerbird/contract';

// `npm run errors` generates docs/errors.md from the catalogue of errors, their English texts and the endpoints.

const root = join(import.meta.dirname, '..');

export const errorsPage = join(root, 'docs', 'errors.md');

const introduction = `# Errors

<!-- Written by npm run errors from contract/src/errors.ts: change it there. -->

Every response with a status of 400 or higher is JSON: \`error\` (the identifier below, for programs), \`error_code\` (its number), \`error_description\` (for people, in the language of the request), \`error_url\` (where the installation’s reference explains it), and \`details\` with an ErrorInfo that contains facts such as \`retry_in\` in seconds, and a LocalizedMessage. Numbers come from the protocol family, and related errors share one. Number 9 always means “captcha”, because clients respond to it with a new captcha every time.

Any call can return \`invalid_argument\`, \`internal\` and \`unavailable\`, calls for members \`unauthenticated\`, and changes sent with an \`Idempotency-Key\` \`outcome_unknown\`. The last column lists the calls that return an error in addition.

| identifier | number | status | text | returned by |
|---|---|---|---|---|
`;

/** The expected content of the page. */
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
