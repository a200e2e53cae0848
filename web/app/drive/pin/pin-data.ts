import { useQuery } from '@tanstack/react-query';
import { driveApi, type ApiCall, type Pin } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';

export const PINS = ['pins'] as const;

export function pinsQuery(call: ApiCall) {
  return { queryKey: PINS, queryFn: async () => (await call(driveApi.pins, {})).pins };
}

const NONE: readonly Pin[] = [];

/** The member's pinned folders, in their order; empty until they are loaded. */
export function usePins(): readonly Pin[] {
  return useQuery(pinsQuery(useCall())).data ?? NONE;
}
