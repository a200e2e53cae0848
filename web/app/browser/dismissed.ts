const KEY = 'pp_dismissed';
const KEPT = 20;
const MONTH_MS = 30 * 86_400_000;

/** Times at which dismissed notices may appear again, by notice. */
type Dismissed = Readonly<Record<string, number>>;

function read(now: number): Dismissed {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(([, until]) => typeof until === 'number' && until > now),
    );
  } catch {
    return {};
  }
}

/** True if a notice was dismissed in this browser in the last thirty days. */
export const isDismissed = (notice: string, now = Date.now()): boolean => Object.hasOwn(read(now), notice);

/** Remembers that a notice was dismissed. */
export function dismiss(notice: string, now = Date.now()): void {
  const others = Object.entries(read(now)).filter(([name]) => name !== notice);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries([...others.slice(1 - KEPT), [notice, now + MONTH_MS]])),
    );
  } catch {
    // Without storage it is hidden until the next page load.
  }
}
