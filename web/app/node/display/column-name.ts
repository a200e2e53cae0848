/** Facts that a list of files can show beside the name, in the order in which they are offered. */
export const COLUMN_NAMES = ['modified', 'size', 'type', 'created', 'contents'] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

export const DEFAULT_COLUMNS: readonly ColumnName[] = ['modified', 'size'];

/** Reads a stored choice of columns; names that are unknown or repeated are left out. */
export function readColumns(value: unknown): readonly ColumnName[] {
  if (!Array.isArray(value)) return DEFAULT_COLUMNS;
  return [...new Set(value)].filter((name): name is ColumnName => COLUMN_NAMES.includes(name));
}

export const isDefault = (columns: readonly ColumnName[]): boolean =>
  columns.length === DEFAULT_COLUMNS.length && columns.every((name, at) => name === DEFAULT_COLUMNS[at]);
