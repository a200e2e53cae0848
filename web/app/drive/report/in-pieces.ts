import { isApiFailure, LIMITS, type ErrorId } from '@bowerbird/contract';

/** Refusals that may be about single items: the others can be processed without them. */
const ABOUT_ITEMS: ReadonlySet<ErrorId> = new Set<ErrorId>([
  'file_not_found',
  'file_duplicated_name',
  'file_move_into_itself',
]);
/** Number of failures without a single success after which the reason can't be the items. */
const HOPELESS = 16;

/**
 * Carries out work on batches of items. A batch that is refused because of some of its items is halved until only they
 * remain. Returns the errors of these, by item; rejects with errors that are about something else, or about everything.
 */
export async function inPieces(
  ids: readonly string[],
  work: (some: readonly string[]) => Promise<void>,
): Promise<ReadonlyMap<string, ErrorId>> {
  const failures = new Map<string, ErrorId>();
  let hasSuccess = false;
  const attempt = async (some: readonly string[]): Promise<void> => {
    try {
      await work(some);
      hasSuccess = true;
    } catch (error) {
      if (!isApiFailure(error) || !ABOUT_ITEMS.has(error.id)) throw error;
      const [only] = some;
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2);
        await attempt(some.slice(0, middle));
        await attempt(some.slice(middle));
      } else if (only !== undefined) {
        failures.set(only, error.id);
        if (!hasSuccess && failures.size >= HOPELESS) throw error;
      }
    }
  };
  for (let at = 0; at < ids.length; at += LIMITS.batch) await attempt(ids.slice(at, at + LIMITS.batch));
  return failures;
}
