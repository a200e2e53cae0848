/**
 * Decodes like the third-party programs do: a value is accepted as it is, or not at all. An absent or null
 * field counts as unset, as in Go; a field of another type is an error.
 */
export type Decode<T> = (value: unknown, at: string) => T;

export class Undecodable extends Error {
  override name = 'Undecodable';
}

const refuse = (at: string, wanted: string, value: unknown): never => {
  throw new Undecodable(`${at} is not ${wanted}: ${JSON.stringify(value) ?? 'undefined'}`.slice(0, 300));
};

const plain =
  <T>(wanted: string, is: (value: unknown) => boolean, zero: T): Decode<T> =>
  (value, at) =>
    value === undefined || value === null ? zero : is(value) ? (value as T) : refuse(at, wanted, value);

export const text = plain<string>('a string', (value) => typeof value === 'string', '');
export const flag = plain<boolean>('a boolean', (value) => typeof value === 'boolean', false);
export const whole = plain<number>('a whole number', (value) => Number.isInteger(value), 0);

/** An integer in a string: never a number, never the empty string. */
export const numeric: Decode<number> = (value, at) => {
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value))
    return refuse(at, 'a number within a string', value);
  return Number(value);
};

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** RFC 3339; the empty string is not accepted. */
export const time = plain<string>('a time', (value) => typeof value === 'string' && RFC_3339.test(value), '');
/** RFC 3339 or "". */
export const timeOrNone = plain<string>(
  'a time or ""',
  (value) => value === '' || (typeof value === 'string' && RFC_3339.test(value)),
  '',
);

export function list<T>(entry: Decode<T>): Decode<T[]> {
  return (value, at) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return refuse(at, 'a list', value);
    return value.map((each, index) => entry(each, `${at}[${index}]`));
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function mapOf<T>(entry: Decode<T>): Decode<Record<string, T>> {
  return (value, at) => {
    if (value === undefined || value === null) return {};
    if (!isObject(value)) return refuse(at, 'an object', value);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, entry(each, `${at}.${name}`)]),
    );
  };
}

export type Decoded<F> = { [K in keyof F]: F[K] extends Decode<infer T> ? T : never };

/** An object that may be absent; its fields may be absent too. */
export function maybe<F extends Record<string, Decode<unknown>>>(fields: F): Decode<Decoded<F> | undefined> {
  return (value, at) => {
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) return refuse(at, 'an object', value);
    return Object.fromEntries(
      Object.entries(fields).map(([name, decode]) => [name, decode(value[name], `${at}.${name}`)]),
    ) as Decoded<F>;
  };
}

/** An object that must be present. */
export function structure<F extends Record<string, Decode<unknown>>>(fields: F): Decode<Decoded<F>> {
  const decode = maybe(fields);
  return (value, at) => decode(value, at) ?? refuse(at, 'there', value);
}

/** A value that must be present and not empty. */
export function required<T>(decode: Decode<T>): Decode<T> {
  return (value, at) =>
    value === undefined || value === null || value === '' ? refuse(at, 'there', value) : decode(value, at);
}

/** One of several words. */
export function word(...words: string[]): Decode<string> {
  return (value, at) =>
    typeof value === 'string' && words.includes(value) ? value : refuse(at, words.join(' or '), value);
}

/** A value that must be null or absent. */
export const nothing: Decode<undefined> = (value, at) =>
  value === undefined || value === null ? undefined : refuse(at, 'null', value);
