import { useQuery } from '@tanstack/react-query';
import { ledgerApi, type TrafficKind } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useOffers } from '#app/api/offers.ts';

/** Share of a limit from which it is near. */
const NEAR = 0.9;
const MINUTE_MS = 60_000;

/** A plan that has ended and whose storage remains for now. */
interface EndedPlan {
  readonly name: string;
  /** End of the grace period, RFC 3339. */
  readonly until: string;
}

/** The kind of traffic of which most is used, close to its limit. */
interface NearTraffic {
  readonly kind: TrafficKind;
  readonly used: number;
  readonly limit: number;
  readonly resetTime: string;
}

/**
 * News about a member’s plan and limits. Asked once the page is there, so that no page waits for it; traffic only
 * where it is limited.
 */
export function useNotices(): {
  endedPlan: EndedPlan | undefined;
  traffic: NearTraffic | undefined;
} {
  const call = useCall();
  const { monthly_traffic: isLimited } = useOffers();
  const limit = useQuery({
    queryKey: ['ledger', 'limit'],
    queryFn: () => call(ledgerApi.limit, {}),
    staleTime: 10 * MINUTE_MS,
  });
  const traffic = useQuery({
    queryKey: ['ledger', 'traffic'],
    queryFn: () => call(ledgerApi.traffic, {}),
    staleTime: MINUTE_MS,
    enabled: isLimited,
  });
  const ended = limit.data?.parts.find((part) => part.ended && part.plan);
  const [most] = (traffic.data?.kinds ?? [])
    .filter(({ kind, limit: bytes }) => kind !== 'shared' && Number(bytes) > 0)
    .map(({ kind, used, limit: bytes }) => ({ kind, used: Number(used), limit: Number(bytes) }))
    .filter(({ used, limit: bytes }) => used >= bytes * NEAR)
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit);
  return {
    endedPlan: ended?.plan ? { name: ended.plan.name, until: ended.grace_until } : undefined,
    traffic: most && traffic.data && { ...most, resetTime: traffic.data.reset_time },
  };
}
