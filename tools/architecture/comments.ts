import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CODE, foldersOf } from './code-files.ts';

/** Words that begin a relative clause, or a fragment of a sentence, instead of a noun or a verb. */
const CLAUSE = /^(?:What|Who|Whoever|Whose|Whether|Where|Wherever|How|Of|That|Those|Tells|Says|Gives)\b/;
/** The first line of a comment: after its opening characters, or on the second line of a block. */
const COMMENT =
  /(?:\/\*\*?[ \t]*(?:\n[ \t]*\*?[ \t]*)?|(?<!\/\/[^\n]*\n[ \t]*)(?<![:'"`\S])\/\/ )(\S[^\n]*)/g;
/** Released migrations never change, not even in their comments. */
const FROZEN = 'server/migrations/';

/** Returns the place and the beginning of each comment that starts with a clause (see CONTRIBUTING.md). */
export async function findClauses(root: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path: folder, files } of foldersOf(root)) {
    if (folder === FROZEN) continue;
    for (const path of files.map((name) => folder + name).filter((path) => CODE.test(path))) {
      const text = await readFile(join(root, path), 'utf8');
      for (const { index, 1: words = '' } of text.matchAll(COMMENT))
        if (CLAUSE.test(words))
          found.push(`${path}:${text.slice(0, index).split('\n').length} ${words.slice(0, 60)}`);
    }
  }
  return found;
}
