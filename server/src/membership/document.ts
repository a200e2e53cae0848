import { isFields, type Fields } from '@bowerbird/contract';

// Reading of the administrator's document `external_products`. Mistakes are thrown as sentences that name their place.

/** Returns an object of the document; throws if it has other fields than the known ones. */
export function fieldsOf(value: unknown, what: string, known: Iterable<string>): Fields {
  if (!isFields(value)) throw new Error(`${what} must be an object`);
  const names = new Set(known);
  const unknown = Object.keys(value).find((field) => !names.has(field));
  if (unknown !== undefined) throw new Error(`${what} has an unknown field ${unknown}`);
  return value;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what} must be a list`);
  return value;
}
