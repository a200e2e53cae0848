import { ObjectFailure, objects } from '../object-requests.ts';
import { patiently, TRIES } from '../patience.ts';
import type { ResumeRecord } from '../resume-records.ts';
import type { UploadEvents, UploadTools } from '../upload-tools.ts';
import { equalPartOf, planParts, USUAL_PART, type Part } from './part-plan.ts';

/** Parts of one file sent in parallel. */
const PARTS_AT_ONCE = 3;

/**
 * Sends what is missing of a file, in parts whose size follows the network, and completes it. Resolves with its id.
 */
export async function sendParts(
  file: File,
  record: ResumeRecord,
  tools: UploadTools,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<string> {
  const { ticket, uploadId, unit = equalPartOf(file.size) } = record;
  const { sizes, now } = tools;
  const held = await patiently(tools, signal, () => objects.listParts(ticket, uploadId, signal));
  const plan = planParts(file.size, unit, held);
  events.state('uploading');
  const underWay = new Map<number, number>();
  const tell = (): void =>
    events.loaded(plan.arrived + [...underWay.values()].reduce((sum, bytes) => sum + bytes, 0));
  tell();

  /** Larger parts only while there are enough of them: all lanes should end at the same time. */
  const nextSize = (): number =>
    Math.min(sizes.next, Math.max(USUAL_PART, (file.size - plan.arrived) / PARTS_AT_ONCE / 2));

  async function send(part: Part): Promise<string> {
    const bytes = part.end - part.start;
    const began = now();
    const body = file.slice(part.start, part.end);
    const etag = await objects.putPart(ticket, uploadId, part, body, signal, (sent) => {
      underWay.set(part.number, sent);
      tell();
    });
    sizes.arrived(bytes, now() - began);
    return etag;
  }

  /** Sends a part, or its beginning if it's too large for what is in between. */
  async function sendOne(whole: Part): Promise<void> {
    let part = whole;
    for (let tries = 1; ;) {
      try {
        const etag = await send(part);
        underWay.delete(part.number);
        // Only now may the rest be sent: the part on the server might reach into it.
        plan.hasArrived(part, etag, whole);
        tools.records.reached(record.fingerprint, plan.arrived);
        tell();
        return;
      } catch (error) {
        underWay.delete(part.number);
        tell();
        signal.throwIfAborted();
        if (!(error instanceof ObjectFailure)) throw error;
        const bytes = part.end - part.start;
        const isSmaller = navigatorIsOnline() && sizes.failed(bytes, error.status);
        if (isSmaller) part = plan.beginningOf(part, sizes.next);
        // A refused size is not a failed attempt.
        const isCut = error.status === 413 && part.end - part.start < bytes;
        if (isCut) continue;
        if (!error.retry || tries >= TRIES) throw error;
        await tools.online(signal);
        await tools.sleep(500 * 2 ** tries, signal);
        tries += 1;
      }
    }
  }

  const failed = new AbortController();
  const lane = async (): Promise<void> => {
    for (let part = plan.take(nextSize()); part && !failed.signal.aborted; part = plan.take(nextSize()))
      await sendOne(part);
  };
  await Promise.all(
    Array.from({ length: PARTS_AT_ONCE }, () =>
      lane().catch((error: unknown) => {
        failed.abort();
        throw error;
      }),
    ),
  );
  events.state('finishing');
  await patiently(tools, signal, () => objects.complete(ticket, uploadId, plan.etags, signal));
  tools.records.forget(record.fingerprint);
  return record.nodeId;
}

/** Returns false if the browser knows that there's no network, which says nothing about sizes. */
const navigatorIsOnline = (): boolean => (globalThis.navigator as Navigator | undefined)?.onLine !== false;
