import type { KeysetPosition } from '../foundation/database/index.ts';
import { compareBytes, FOLDER, type ListOrder, type NodeRow } from '../drive/index.ts';

/** Sort key of roots: the same values in the same direction as in a folder. */
function keyOf(node: NodeRow, { key, foldersFirst }: ListOrder): (string | number)[] {
  const group = foldersFirst ? [node.kind === FOLDER ? 0 : 1] : [];
  switch (key) {
    case 'name':
      return [...group, node.name_key, node.id];
    case 'type':
      return [...group, node.type_key, node.name_key, node.id];
    case 'modified':
      return [...group, node.modified_at, node.id];
    case 'size':
      return [...group, node.size, node.id];
  }
}

function compare(a: KeysetPosition, b: KeysetPosition, { foldersFirst, descending }: ListOrder): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]!;
    if (value === other) continue;
    // Bytes, as both databases compare text; code units would sort some characters differently.
    const less = typeof value === 'number' ? value < Number(other) : compareBytes(value, String(other)) < 0;
    const backwards = descending && !(foldersFirst && at === 0);
    return less === backwards ? 1 : -1;
  }
  return 0;
}

/**
 * Page of a share's roots in a listing's order. They are in different folders, but there are a thousand at
 * most.
 */
export function pageOfRoots(
  roots: readonly NodeRow[],
  order: ListOrder,
  { limit, place }: { limit: number; place: KeysetPosition | undefined },
): { rows: NodeRow[]; next: KeysetPosition | undefined } {
  const keyed = roots
    .map((node) => ({ node, key: keyOf(node, order) }))
    .toSorted((a, b) => compare(a.key, b.key, order));
  const beyond = place ? keyed.filter(({ key }) => compare(key, place, order) > 0) : keyed;
  const page = beyond.slice(0, limit);
  return { rows: page.map(({ node }) => node), next: beyond.length > limit ? page.at(-1)?.key : undefined };
}
