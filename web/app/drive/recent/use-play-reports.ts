import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { eventApi, playedPart, recentApi, type ApiCall, type PlayPosition } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import type { PlayMemory } from '#app/node/index.ts';
import { LISTINGS } from '../drive-data.ts';

/** Key prefix of how far videos were played. */
export const PLAYED = ['played'] as const;

const GATHERED_MS = 40;
const AT_ONCE = 100;

/** Playback positions of the member's files, which the server keeps for all their devices. */
export function usePlayReports(): PlayMemory {
  const call = useCall();
  const client = useQueryClient();
  return useMemo<PlayMemory>(() => {
    const gathered = gatheredPositions(call);
    return {
      async positionOf(id) {
        try {
          const [found] = await positions(call, [id]);
          if (!found) return undefined;
          const part = playedPart(found);
          return part > 0 && part < 1 ? found.seconds : 0;
        } catch {
          return undefined;
        }
      },
      report(id, seconds, duration) {
        const params = { play_seconds: seconds, play_duration: duration };
        // Playing goes on if a position can't be recorded.
        void call(eventApi.report, { body: { event: { type: 'TYPE_PLAY', file_id: id, params } } }).then(
          () => {
            void client.invalidateQueries({ queryKey: [...PLAYED, id] });
            for (const list of ['recent', 'continue'])
              void client.invalidateQueries({ queryKey: [...LISTINGS, list], refetchType: 'none' });
          },
          () => undefined,
        );
      },
      partOf: (id) => ({
        queryKey: [...PLAYED, id],
        queryFn: async () => {
          const found = await gathered(id);
          return found ? playedPart(found) : 0;
        },
      }),
    };
  }, [call, client]);
}

const positions = async (call: ApiCall, ids: readonly string[]): Promise<PlayPosition[]> =>
  (await call(recentApi.positions, { query: { file_ids: ids.join(',') } })).positions;

/** Looks up positions of single files; those that are asked for at the same time share a call. */
function gatheredPositions(call: ApiCall): (id: string) => Promise<PlayPosition | undefined> {
  let asked: { ids: string[]; found: Promise<ReadonlyMap<string, PlayPosition>> } | undefined;
  return async (id) => {
    if (!asked || asked.ids.length >= AT_ONCE) {
      const ids: string[] = [];
      const found = new Promise((resolve) => setTimeout(resolve, GATHERED_MS)).then(async () => {
        if (asked?.ids === ids) asked = undefined;
        return new Map((await positions(call, ids)).map((one) => [one.file_id, one]));
      });
      asked = { ids, found };
    }
    asked.ids.push(id);
    return (await asked.found).get(id);
  };
}
