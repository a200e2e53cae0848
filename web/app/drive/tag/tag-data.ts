import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { COLORS, driveApi, formatSearch, type ApiCall, type Color, type Tag } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';

export const TAGS = ['tags'] as const;

export function tagsQuery(call: ApiCall) {
  return { queryKey: TAGS, queryFn: async () => (await call(driveApi.tags, {})).tags };
}

const NONE: readonly Tag[] = [];

/** The member's tags, by name; empty until they are loaded. */
export function useTags(): readonly Tag[] {
  return useQuery(tagsQuery(useCall())).data ?? NONE;
}

/** The member's tags by id. */
export function useTagsById(): ReadonlyMap<string, Tag> {
  const tags = useTags();
  return useMemo(() => new Map(tags.map((tag) => [tag.id, tag])), [tags]);
}

/** Page with everything that has a tag. */
export const tagHref = ({ name }: Pick<Tag, 'name'>): string =>
  `/drive/search?${new URLSearchParams({ q: formatSearch({ words: [], filters: { tags: [name] } }) }).toString()}`;

/** The first color that the fewest tags have. */
export function nextColor(tags: readonly Tag[]): Color {
  const uses = (color: Color): number => tags.filter((tag) => tag.color === color).length;
  return COLORS.reduce((best, color) => (uses(color) < uses(best) ? color : best), COLORS[0]);
}
