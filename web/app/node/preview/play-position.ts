const KEY = 'pp_play_position';
const KEPT = 200;
/** A file that is nearly over or has hardly started plays from the start. */
const TOO_EARLY_S = 15;
const TOO_LATE = 0.95;

type Positions = Record<string, number>;

function read(): Positions {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Positions) : {};
  } catch {
    return {};
  }
}

/** Second at which playback of a video or a recording was left. */
export function playPosition(id: string): number | undefined {
  const kept = read();
  const seconds = Object.hasOwn(kept, id) ? kept[id] : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds : undefined;
}

export function rememberPlayPosition(id: string, seconds: number, duration: number): void {
  const { [id]: _, ...others } = read();
  const isWorth = seconds > TOO_EARLY_S && seconds < duration * TOO_LATE;
  const rest = Object.entries(others).slice(isWorth ? 1 - KEPT : -KEPT);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries([...rest, ...(isWorth ? [[id, Math.floor(seconds)] as const] : [])])),
    );
  } catch {
    // Without storage it plays from the start.
  }
}
