import type { Renaming } from '@bowerbird/contract';
import { nameFold } from '../name-key.ts';

/**
 * Orders renamings of one folder so that each name is free by the time it is given: an item whose new name another one
 * has comes after it. Items that exchange their names are never separated. Otherwise, slices have at most `most` items.
 */
export function renameSlices(renamings: readonly Renaming[], most: number): Renaming[][] {
  const holder = new Map(renamings.map((renaming) => [nameFold(renaming.from), renaming]));
  const placed = new Set<Renaming>();
  const slices: Renaming[][] = [];
  const add = (group: readonly Renaming[]): void => {
    const last = slices.at(-1);
    if (last && last.length + group.length <= most) last.push(...group);
    else slices.push([...group]);
  };

  for (const first of renamings) {
    // The items that have to move out of the way, one after the other.
    const way = new Map<Renaming, number>();
    let at: Renaming | undefined = first;
    while (at && !placed.has(at) && !way.has(at)) {
      way.set(at, way.size);
      at = holder.get(nameFold(at.to));
    }
    const chain = [...way.keys()];
    const circle = at === undefined ? undefined : way.get(at);
    if (circle !== undefined) add(chain.splice(circle));
    for (const renaming of chain.toReversed()) add([renaming]);
    for (const renaming of way.keys()) placed.add(renaming);
  }
  return slices;
}
