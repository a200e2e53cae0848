import { siteApi } from '@bowerbird/contract';

const PATIENCE_MS = 5_000;
/** Somebody who asks again waits for a real answer. */
const ANEW_MS = 10_000;

/**
 * Whether the service is offered where the visitor is: each origin of the API speaks for a region, and one that says yes is
 * enough. "unknown" where none could be asked.
 */
export async function offeredHere(
  origins: readonly string[],
  { anew = false, fetch = globalThis.fetch }: { anew?: boolean; fetch?: typeof globalThis.fetch } = {},
): Promise<'yes' | 'no' | 'unknown'> {
  const signal = AbortSignal.timeout(anew ? ANEW_MS : PATIENCE_MS);
  const ask = async (origin: string): Promise<boolean> => {
    const response = await fetch(origin + siteApi.areaAccessible.path, {
      signal,
      credentials: 'omit',
      cache: anew ? 'reload' : 'default',
    });
    if (!response.ok) throw new Error(`${response.status}`);
    return ((await response.json()) as { accessible: boolean }).accessible;
  };
  const answers = origins.map(ask);
  const refusal = async (): Promise<'no' | 'unknown'> => {
    const all = await Promise.allSettled(answers);
    return all.some((answer) => answer.status === 'fulfilled') ? 'no' : 'unknown';
  };
  // The first yes, without waiting for the slow ones; else all have been heard.
  return Promise.any(
    answers.map(async (answer) => {
      if (!(await answer)) throw new Error('not offered');
      return 'yes' as const;
    }),
  ).catch(refusal);
}
