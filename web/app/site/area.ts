import { siteApi } from '@bowerbird/contract';

const PATIENCE_MS = 5_000;
/** Timeout of a manual retry, which must wait for a real answer. */
const ANEW_MS = 10_000;

/**
 * Checks if the service is available at the visitor's location: each origin of the API answers for a region,
 * and one positive answer is enough. Returns "unknown" if none could be asked.
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
  // Resolves with the first positive answer, without waiting for slow ones; otherwise after all answers.
  return Promise.any(
    answers.map(async (answer) => {
      if (!(await answer)) throw new Error('not offered');
      return 'yes' as const;
    }),
  ).catch(refusal);
}
