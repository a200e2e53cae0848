import { ApiFailure, mimeOf, readTime } from '@bowerbird/contract';
import type { Access } from '../access/index.ts';
import { FILE, FOLDER, type ShownNode } from '../drive.ts';

/** Filters of a listing. */
export interface Filters {
  /** Undefined: live and trashed alike. */
  readonly trashed: boolean | undefined;
  readonly starred: boolean | undefined;
  readonly kinds: readonly (0 | 1)[];
  /** False if only incomplete files were requested, of which a drive has none. */
  readonly whole: boolean;
  /** Filters rows by properties that no index has; undefined if all rows match. */
  readonly keep: ((row: ShownNode) => boolean) | undefined;
}

type Test = (row: ShownNode) => boolean;
interface Draft {
  trashed?: boolean;
  starred?: boolean;
  kinds?: readonly (0 | 1)[];
  whole?: boolean;
  readonly tests: Test[];
}

const refuse = (field: string): never => {
  throw new ApiFailure('invalid_argument', { field: `filters.${field}` });
};
const flag = (field: string, value: unknown): boolean =>
  typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : refuse(field);
const text = (field: string, value: unknown): string => (typeof value === 'string' ? value : refuse(field));

function time(field: string, value: unknown): number {
  return readTime(text(field, value)) ?? refuse(field);
}

const words = (field: string, value: unknown): string[] =>
  text(field, value)
    .split(',')
    .map((word) => word.trim());
const phases = (field: string, value: unknown, draft: Draft): void =>
  void (draft.whole = words(field, value).includes('PHASE_TYPE_COMPLETE'));
const kind = (field: string, value: unknown): 0 | 1 =>
  value === 'drive#folder' ? FOLDER : value === 'drive#file' ? FILE : refuse(field);
const times = (column: 'modified_at' | 'created_at'): Record<string, Apply> => ({
  gt: (field, value, { tests }) => later(tests, time(field, value), (row, at) => row[column] > at),
  lt: (field, value, { tests }) => later(tests, time(field, value), (row, at) => row[column] < at),
});

function later(tests: Test[], at: number, compare: (row: ShownNode, at: number) => boolean): void {
  tests.push((row) => compare(row, at));
}

type Apply = (field: string, value: unknown, draft: Draft) => void;

/**
 * Fields, their operators, and the effect of each. Others are refused, so that nobody mistakes an unfiltered list
 * for a filtered one.
 */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Apply>>>> = {
  trashed: { eq: (field, value, draft) => void (draft.trashed = flag(field, value)) },
  starred: { eq: (field, value, draft) => void (draft.starred = flag(field, value)) },
  system_tag: {
    in: (field, value, draft) =>
      void (words(field, value).includes('STAR') ? (draft.starred = true) : refuse(field)),
  },
  kind: { eq: (field, value, draft) => void (draft.kinds = [kind(field, value)]) },
  phase: { eq: phases, in: phases },
  modified_time: times('modified_at'),
  created_time: times('created_at'),
  mime_type: {
    prefix(field, value, { tests }) {
      const prefix = text(field, value);
      tests.push((row) => row.kind === FILE && mimeOf(row.name).startsWith(prefix));
    },
  },
};

function objectOf(field: string, value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : refuse(field);
}

/** Parses the `filters` of a listing: a JSON object of fields, each an object of operators. */
export function parseFilters(source: string | undefined): Filters {
  const draft: Draft = { tests: [] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(source || '{}');
  } catch {
    refuse('');
  }
  for (const [field, operators] of objectOf('', parsed)) {
    const known = Object.hasOwn(FIELDS, field) ? FIELDS[field]! : refuse(field);
    for (const [operator, value] of objectOf(field, operators)) {
      if (!Object.hasOwn(known, operator)) refuse(field);
      known[operator]!(field, value, draft);
    }
  }
  const { tests } = draft;
  return {
    trashed: draft.trashed,
    starred: draft.starred,
    kinds: draft.kinds ?? [FOLDER, FILE],
    whole: draft.whole ?? true,
    keep: tests.length === 0 ? undefined : (row) => tests.every((test) => test(row)),
  };
}

/** Members don't see what the owner has starred or trashed in a shared folder. */
export function visibleFilters(filters: Filters, { role }: Access): Filters {
  if (role === 'owner') return filters;
  if (filters.starred !== undefined) throw new ApiFailure('invalid_argument', { field: 'filters' });
  return { ...filters, trashed: false };
}
