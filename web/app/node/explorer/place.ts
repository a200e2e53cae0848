/** Where someone was in a listing: how far scrolled and on which row. */
export interface Place {
  readonly top: number;
  readonly row: number;
}

const PREFIX = 'pp_place ';
const KEPT = 200;
const places = new Map<string, Place>();

/** Remembers a place for as long as the tab lives; going back, and reloading, finds it. */
export function rememberPlace(key: string, place: Place): void {
  places.delete(key);
  places.set(key, place);
  if (places.size > KEPT) places.delete(places.keys().next().value!);
}

/** The place as this page remembers it. */
export function placeOf(key: string): Place | undefined {
  return places.get(key);
}

/** The place from before a reload. */
export function recalledPlace(key: string): Place | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') as Partial<Place> | null;
    return typeof kept?.top === 'number' && typeof kept.row === 'number'
      ? { top: kept.top, row: kept.row }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a place down where a reload finds it; storage that is full or forbidden costs only that. */
export function writePlace(key: string): void {
  const place = places.get(key);
  if (!place) return;
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(place));
  } catch {
    return;
  }
}
