import type { Locale } from '@bowerbird/contract';
import type { ZipEntry } from '../archive/index.ts';
import type { Held } from '../drive/index.ts';
import { message, timeText } from '../foundation/index.ts';

/** Part of the copy: a single text, or a list of any length. */
export interface Section {
  /** Name of the file, without its extension. */
  readonly name: string;
  readonly rows: AsyncIterable<object>;
}

/** Sources of the data, each in its own format. */
export interface Facts {
  profile(account: string): Promise<object>;
  settings(account: string): Promise<object>;
  lists(account: string): readonly Section[];
  files(account: string): AsyncIterable<Held>;
}

/** Lines in each file of the zip: a compromise between what programs can open and memory. */
const LINES = 20_000;
const COLUMNS = [
  'path',
  'kind',
  'size',
  'hash',
  'gcid',
  'created',
  'modified',
  'starred',
  'trashed',
] as const;

const quoted = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
const timeOf = (time: number | null): string => (time === null ? '' : timeText(time));

/** A line begins with a slash, so that no program reads a name as a formula. */
function lineOf({ path, node }: Held): string {
  const values = [
    path,
    node.kind === 0 ? 'folder' : 'file',
    node.kind === 0 ? '0' : String(node.size),
    node.blob ?? '',
    node.gcid ?? '',
    timeText(node.created_at),
    timeText(node.modified_at),
    timeOf(node.starred_at),
    timeOf(node.trashed_at),
  ];
  return values.map(quoted).join(',');
}

/** Entries of the zip, each generated when it is written; `tell` receives the percentage done. */
export async function* contentsOf(
  facts: Facts,
  { account, locale, at }: { account: string; locale: Locale; at: number },
  tell: (percent: number) => Promise<void>,
): AsyncGenerator<ZipEntry, void, undefined> {
  const entry = (path: string, text: string): ZipEntry => {
    const bytes = Buffer.from(text);
    return {
      path,
      modifiedAt: at,
      content: {
        size: bytes.length,
        open: async () =>
          (async function* () {
            yield bytes;
          })(),
      },
    };
  };
  const json = (name: string, value: unknown): ZipEntry =>
    entry(`${name}.json`, `${JSON.stringify(value, undefined, 2)}\n`);
  const nameOf = (name: string, page: number): string => (page === 1 ? name : `${name}-${page}`);

  yield entry('README.txt', `${message(locale, 'readme.takeout', { time: timeText(at) })}\n`);
  yield json('profile', await facts.profile(account));
  yield json('settings', await facts.settings(account));

  const lists = facts.lists(account);
  for (const [done, { name, rows }] of lists.entries()) {
    await tell(Math.floor((done * 50) / lists.length));
    let page = 0;
    for await (const some of inPages(rows)) yield json(nameOf(name, (page += 1)), some);
  }

  await tell(50);
  let page = 0;
  for await (const some of inPages(facts.files(account))) {
    const lines = [COLUMNS.join(','), ...some.map(lineOf)];
    // Byte order mark, by which spreadsheets recognize UTF-8.
    yield entry(`${nameOf('files', (page += 1))}.csv`, `\ufeff${lines.join('\r\n')}\r\n`);
  }
}

/** At least one page, which may be empty. */
async function* inPages<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[], void, undefined> {
  let page: Row[] = [];
  for await (const row of rows) {
    if (page.length === LINES) {
      yield page;
      page = [];
    }
    page.push(row);
  }
  yield page;
}
