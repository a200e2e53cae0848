import { useMutation, useQueryClient } from '@tanstack/react-query';
import { peopleApi, type ApiCall, type ReplyOf } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { toast } from '#app/ui/toast/toast.tsx';

/** Keys that all queries for people with access, and for what others share, begin with. */
export const PEOPLE = ['people'] as const;
export const SHARED = ['shared'] as const;

export type SharedPage = ReplyOf<typeof peopleApi.shared>;

/** Loads a page of what others share with the member. */
export function loadShared(call: ApiCall, token = ''): Promise<SharedPage> {
  return call(peopleApi.shared, {
    query: { limit: 100, page_token: token, thumbnail_size: 'SIZE_SMALL' },
  });
}

/** A change of access; lists are refreshed after it, and a failure is shown. */
export function useAccessChange<V>(change: (value: V) => Promise<unknown>, done?: (value: V) => void) {
  const client = useQueryClient();
  const text = useErrorText();
  return useMutation({
    mutationFn: change,
    onSuccess: (_, value) => done?.(value),
    onError: (error: unknown) => void toast.show({ text: text(error), tone: 'danger' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: PEOPLE }),
        client.invalidateQueries({ queryKey: SHARED }),
      ]),
  });
}
