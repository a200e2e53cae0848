import { useCallback, useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ABOUT } from '#app/membership/index.ts';
import { LISTINGS } from './drive-data.ts';

const EVERY_MS = 1500;

/** Refreshes the lists after changes; at most once per interval, however many changes arrive. */
export function useRefresh(): () => void {
  const client = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastAt = useRef(0);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return useCallback(() => {
    waiting.current ??= setTimeout(
      () => {
        waiting.current = undefined;
        lastAt.current = Date.now();
        void client.invalidateQueries({ queryKey: LISTINGS });
        void client.invalidateQueries({ queryKey: ABOUT });
      },
      Math.max(0, lastAt.current + EVERY_MS - Date.now()),
    );
  }, [client]);
}
