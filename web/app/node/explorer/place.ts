/** Position in a listing: scroll offset and current row. */
export interface ScrollPosition {
  readonly top: number;
  readonly row: number;
}

const PREFIX = 'pp_place ';
const KEPT = 200;
const places = new Map<string, ScrollPosition>();

/** Remembers a position as long as the tab is open, for going back and reloading. */
export function rememberPlace(key: string, place: ScrollPosition): void {
  places.delete(key);
  places.set(key, place);
  if (places.size > KEPT) places.delete(places.keys().next().value!);
}

/** Returns the position remembered by this page. */
export function placeOf(key: string): ScrollPosition | undefined {
  return places.get(key);
}

/** Returns the position from before a reload. */
export function recalledPlace(key: string): ScrollPosition | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') as Partial<ScrollPosition> | null;
    return typeof kept?.top === 'number' && typeof kept.row === 'number'
      ? { top: kept.top, row: kept.row }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a position for a reload; full or forbidden storage loses only that. */
export function writePlace(key: string): void {
  const place = places.get(key);
  if (!place) return;
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(place));
  } catch {
    return;
  }
}
