import { FetchFailed } from '../fetch/engine.ts';
import type { Answer, Asking } from './asking.ts';
import { Setback } from './setback.ts';
import { refusePages, sourceOf, type Source } from './source.ts';

export interface Opened {
  readonly answer: Answer;
  readonly source: Source;
}

/** Asks for the whole file in the form of a range, and plainly where the origin makes nothing of that. */
export async function openWhole(asking: Asking, requested: URL, signal: AbortSignal): Promise<Opened> {
  // Where nothing tells versions apart, nothing else may be needed after this answer.
  const isUsable = ({ version, stretch, size }: Source): boolean =>
    version !== undefined || stretch?.end === size;
  return open(asking, requested, { range: 'bytes=0-', isUsable }, signal);
}

/** Asks what there is, with as few of its bytes as the origin will have it. */
export async function openGlance(asking: Asking, requested: URL, signal: AbortSignal): Promise<Opened> {
  return open(asking, requested, { range: 'bytes=0-0', isUsable: () => true }, signal);
}

async function open(
  asking: Asking,
  requested: URL,
  { range, isUsable }: { range: string; isUsable(source: Source): boolean },
  signal: AbortSignal,
): Promise<Opened> {
  const ranged = await askForRange(asking, range, signal);
  const opened = ranged && read(ranged, requested);
  if (opened && (ranged.status !== 206 || (isBeginning(opened.source) && isUsable(opened.source))))
    return opened;
  ranged?.letGo();
  const plain = read(await asking.ask({}, signal), requested);
  if (plain.answer.status !== 206) return plain;
  plain.answer.letGo();
  throw new FetchFailed('source_failed', { final: true, facts: { reason: 'range' } });
}

/** Undefined where the origin refused: some do so only because a range was asked for. */
async function askForRange(asking: Asking, range: string, signal: AbortSignal): Promise<Answer | undefined> {
  try {
    return await asking.ask({ headers: { range } }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isAboutRange(error)) return undefined;
    throw error;
  }
}

/** Who can't be reached, may not be asked, keeps silent or wants to be left alone would be no other without a range. */
function isAboutRange(error: unknown): boolean {
  if (error instanceof Setback)
    return error.pauseMs === undefined && error.failure.failure.error === 'source_failed';
  return error instanceof FetchFailed && error.failure.facts?.['status'] !== undefined;
}

/** A range of what isn't the file itself, or of nobody knows how much, is of no use. */
const isBeginning = ({ encoding, size, stretch }: Source): boolean =>
  !encoding && size !== null && stretch?.start === 0;

function read(answer: Answer, requested: URL): Opened {
  try {
    refusePages(answer, requested);
    return { answer, source: sourceOf(answer, requested) };
  } catch (error) {
    answer.letGo();
    throw error;
  }
}
