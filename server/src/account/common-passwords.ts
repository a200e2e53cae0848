import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIST = join(import.meta.dirname, 'common-passwords.txt');

/** Passwords that attackers try first, in lower case; those below the minimum length are left out. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(LIST, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('# '))
    .flatMap((line) => line.split(' '))
    .filter(Boolean),
);
