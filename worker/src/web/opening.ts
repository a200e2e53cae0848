import { FetchFailed } from '../fetch/engine.ts';
import type { Answer, Asking } from './asking.ts';
import { refusePages, sourceOf, type Source } from './source.ts';

export interface Opened {
  readonly answer: Answer;
  readonly source: Source;
}

/** Asks for the whole file in the form of a range, and plainly where the origin makes nothing of that. */
export async function openWhole(asking: Asking, requested: URL, signal: AbortSignal): Promise<Opened> {
  return open(asking, requested, 'bytes=0-', signal);
}

/** Asks what there is, with as few of its bytes as the origin will have it. */
export async function openGlance(asking: Asking, requested: URL, signal: AbortSignal): Promise<Opened> {
  return open(asking, requested, 'bytes=0-0', signal);
}

async function open(asking: Asking, requested: URL, range: string, signal: AbortSignal): Promise<Opened> {
  const ranged = await asking.ask({ headers: { range }, bear: [416] }, signal);
  const opened = ranged.status === 416 ? undefined : read(ranged, requested);
  if (opened && isUsable(opened)) return opened;
  ranged.letGo();
  const plain = read(await asking.ask({}, signal), requested);
  if (plain.answer.status !== 206) return plain;
  plain.answer.letGo();
  throw new FetchFailed('source_failed', { final: true, facts: { reason: 'range' } });
}

function read(answer: Answer, requested: URL): Opened {
  try {
    refusePages(answer, requested);
    return { answer, source: sourceOf(answer, requested) };
  } catch (error) {
    answer.letGo();
    throw error;
  }
}

/** A range of what isn't the file itself, or one after which nothing tells whether the next belongs to it, is of no use. */
function isUsable({ answer, source: { encoding, size, stretch, version } }: Opened): boolean {
  if (answer.status !== 206) return true;
  if (encoding || size === null || stretch?.start !== 0) return false;
  return version !== undefined || stretch.end === size;
}
