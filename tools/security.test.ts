import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const [tables = '', list = ''] = page.split('## The tests');

interface CitedTest {
  readonly tag: string;
  readonly file: string;
  readonly name: string;
}
interface Row {
  readonly number: string;
  readonly how: string;
  readonly tests: readonly string[];
}

/** A citation below the name of a file: `- T7: the name of a test in it`. */
function citedTests(): CitedTest[] {
  let file = '';
  return list.split('\n').flatMap((line) => {
    file = /^`(.+)`$/.exec(line)?.[1] ?? file;
    const [, tag, name] = /^- (T\d+): (.+)$/.exec(line) ?? [];
    return tag !== undefined && name !== undefined ? [{ tag, file, name }] : [];
  });
}

/** Rows of the requirements: number, requirement, how it is met, tests. */
const rows = [
  ...tables.matchAll(/^\| (?<number>\d+\.\d+\.\d+) \| [^|]+ \| (?<how>[^|]*) \| (?<tests>[^|]*) \|$/gm),
].map(({ groups }): Row => ({
  number: groups!['number']!,
  how: groups!['how']!.trim(),
  tests: groups!['tests']!.match(/T\d+/g) ?? [],
}));
const cited = citedTests();

test('every test cited in docs/security.md exists under that name', () => {
  expect(cited.length).toBeGreaterThan(100);
  const missing = cited.filter(({ file, name }) => {
    const path = join(root, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return !["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`));
  });
  expect(missing).toEqual([]);
});

test('every tag in docs/security.md stands for one test, and all of them are used', () => {
  const tags = cited.map(({ tag }) => tag);
  expect(new Set(tags).size).toBe(tags.length);
  expect([...new Set(tables.match(/\bT\d+\b/g))].toSorted()).toEqual(tags.toSorted());
});

test('every requirement has a test, or states where it is met, why it does not apply, or what is missing', () => {
  const numbers = rows.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(
    rows.filter(
      ({ how, tests }) =>
        tests.length === 0 && !/^(?:\*by review\*|\*does not apply\*|\*\*gap\*\*) · \S/.test(how),
    ),
  ).toEqual([]);
  const saying = (words: string): number => rows.filter(({ how }) => how.startsWith(words)).length;
  const review = saying('*by review*');
  const absent = saying('*does not apply*');
  const gaps = saying('**gap**');
  const kept = rows.length - review - absent - gaps;
  const counted =
    /Of (\d+) requirements, (\d+) are met .+?, (\d+) are met .+?, (\d+) don’t apply, and (\d+) are gaps/.exec(
      tables,
    );
  expect(counted?.slice(1).map(Number)).toEqual([rows.length, kept, review, absent, gaps]);
});
