import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIST = join(import.meta.dirname, 'common-passwords.txt');

/** What guessers try first, in lower case; what is shorter than a password may be is not in it. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(LIST, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('# '))
    .flatMap((line) => line.split(' '))
    .filter(Boolean),
);
