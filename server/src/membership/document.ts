import { isFields, type Fields } from '@bowerbird/contract';
import { readSize } from '../foundation/index.ts';

// Reading of the administrator's documents `external_products` and `activity_operation`. Mistakes are thrown as sentences
// that name their place.

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

export function wholeNumber(value: unknown, what: string, most: number): number {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most) return Number(value);
  throw new Error(`${what} must be a whole number from 1 to ${most}`);
}

/** Returns bytes. */
export function sizeOf(value: unknown, what: string): number {
  try {
    const bytes = typeof value === 'number' ? value : readSize(String(value));
    if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  } catch {
    // Explained below.
  }
  throw new Error(`${what} must be a size such as 100 GB`);
}
