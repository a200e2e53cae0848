import { FILE_CATEGORIES, timeOf, type SearchFilters } from '@bowerbird/contract';
import { FILE, type NodeRow } from '../drive.ts';
import { foldText } from '../name-index/index.ts';

/** The columns of a node by which searches decide. */
export type Candidate = Pick<
  NodeRow,
  'id' | 'account' | 'parent' | 'kind' | 'name' | 'size' | 'modified_at' | 'trashed_at' | 'starred_at'
>;

const DAY_MS = 24 * 3600 * 1000;
const PERIODS: Readonly<Record<string, number>> = { today: 1, week: 7, month: 30, year: 365 };

/** Filters that the index answers: categories by number, and folded extensions with their dots. */
export function narrowed({ types, extensions }: SearchFilters): {
  categories: ReadonlySet<number> | undefined;
  extensions: readonly string[] | undefined;
} {
  return {
    categories: types && new Set(types.map((type) => FILE_CATEGORIES.indexOf(type))),
    extensions: extensions?.map((extension) => foldText(`.${extension}`)),
  };
}

/** Tests the properties of a node that its row has. */
export function rowTest(filters: SearchFilters, now: number, zone: string): (node: Candidate) => boolean {
  const { minSize, maxSize, extensions, is } = filters;
  const [from, to] = period(filters, now, zone);
  const isSized = minSize !== undefined || maxSize !== undefined;
  return (node) =>
    node.modified_at >= from &&
    node.modified_at < to &&
    (!isSized || (node.kind === FILE && node.size >= (minSize ?? 0) && node.size <= (maxSize ?? Infinity))) &&
    (!extensions || node.kind === FILE) &&
    (!is?.includes('starred') || node.starred_at !== null);
}

function period(
  { after, before, modified }: SearchFilters,
  now: number,
  zone: string,
): [from: number, to: number] {
  const days = modified === undefined ? undefined : (PERIODS[modified] ?? Number.parseInt(modified, 10));
  const recent = days === undefined ? -Infinity : startOfDay(dayOf(now - (days - 1) * DAY_MS, zone), zone);
  return [
    Math.max(recent, after === undefined ? -Infinity : startOfDay(after, zone)),
    before === undefined ? Infinity : startOfDay(before, zone),
  ];
}

/** Local date and time as if it were UTC; UTC itself for unknown zones. */
function localTime(time: number, zone: string): number {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name)!;
    return Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
  } catch {
    return time;
  }
}

const dayOf = (time: number, zone: string): string =>
  new Date(localTime(time, zone)).toISOString().slice(0, 10);

/** The moment at which a day such as `2026-01-31` begins. */
function startOfDay(day: string, zone: string): number {
  const [year, month, date] = day.split('-').map(Number);
  const wanted = timeOf({ year: year!, month: month!, day: date! })!;
  // The offset at that time, and again at the result, because clocks may have been changed in between.
  let time = wanted;
  for (let round = 0; round < 2; round++) time = wanted - (localTime(time, zone) - time);
  return time;
}

/** Tests whether the folders above a node, from the top down, contain the one of `in:`. */
export function placeTest({ in: place }: SearchFilters): (above: readonly { name: string }[]) => boolean {
  if (place === undefined) return () => true;
  const names = place
    .split('/')
    .filter((name) => name.trim() !== '')
    .map(foldText);
  return (above) => {
    const path = above.map(({ name }) => foldText(name));
    return path.some((_, at) => names.every((name, offset) => path[at + offset] === name));
  };
}
