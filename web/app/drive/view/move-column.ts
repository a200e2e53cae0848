import type { ColumnName } from '#app/node/display/column-name.ts';

/** Swaps a column with its neighbor; `step` is −1 towards the name, 1 away from it. */
export function moved(columns: readonly ColumnName[], name: ColumnName, step: 1 | -1): readonly ColumnName[] {
  const [at, to] = [columns.indexOf(name), columns.indexOf(name) + step];
  if (at < 0 || to < 0 || to >= columns.length) return columns;
  return columns.with(at, columns[to]!).with(to, name);
}
