import Type, { type Static, type TSchema } from 'typebox';

/** A whole number sent as a decimal string: sizes, counts, quotas ("-1" means unlimited). */
export const Decimal = Type.String({ pattern: '^-?\\d+$', description: 'Whole number as a decimal string.' });
/** RFC 3339 with milliseconds and offset. */
export const Time = Type.String({ format: 'date-time' });
/** A time, or the empty string for "none". */
export const MaybeTime = Type.String({ description: 'RFC 3339, or `""` for none.' });
/** An identifier of ours: 26 URL-safe characters; opaque to clients. */
export const Id = Type.String({ minLength: 1, maxLength: 64 });
/** A folder ID; "" for the root folder. */
export const FolderId = Type.String({ maxLength: 64, description: 'Folder ID. `""` is the root.' });
/** A size as a number or a string; read it with {@link parseSize}. */
// Strings first: a value that is neither, such as true, is converted to the first type that accepts it, and then fails
// as a number.
export const LooseSize = Type.Union([Type.String(), Type.Number()]);
export const Empty = Type.Object({});
export const StringMap = Type.Record(Type.String(), Type.String());

export const ThumbnailSize = Type.String({ description: '`SIZE_SMALL`, `SIZE_MEDIUM` or `SIZE_LARGE`.' });
export const Limit = Type.Optional(
  Type.Union([Type.Integer(), Type.String()], {
    description: 'Items per page, from 1 to 1000. Larger values are clamped. Default: 100.',
  }),
);
export const PageToken = Type.Optional(
  Type.String({
    description: '`""` for the first page, then the `next_page_token` of the previous page, unchanged.',
  }),
);

/** One of the given strings. */
export function oneOf<const T extends readonly string[]>(values: T, description?: string) {
  return Type.Unsafe<T[number]>(
    Type.String({ enum: [...values], ...(description === undefined ? {} : { description }) }),
  );
}

/**
 * Parses bytes from a number or a decimal string; undefined for anything that is not a whole number from 0 to 2^53 −
 * 1.
 */
export function parseSize(value: unknown): number | undefined {
  const size =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,16}$/.test(value)
        ? Number(value)
        : Number.NaN;
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

/** Returns the requested page size, clamped to the allowed range. */
export function pageSize(value: unknown, defaultSize: number, most: number): number {
  const asked = Math.trunc(Number(value ?? defaultSize));
  return Number.isFinite(asked) && asked >= 1 ? Math.min(asked, most) : defaultSize;
}

export type { Static, TSchema };
