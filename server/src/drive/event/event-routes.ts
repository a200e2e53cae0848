import { ApiFailure, eventApi, EVENT_TYPES, LIMITS, pageSize, type EventType } from '@bowerbird/contract';
import type { Cursors } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import { ARRIVALS, type Events } from './event-service.ts';
import { eventView } from './event-view.ts';
import { contextOf } from '../node/index.ts';
import type { Links } from '../drive.ts';

const isType = (text: string): text is EventType => EVENT_TYPES.some((type) => type === text);

function typesOf(names: readonly string[]): EventType[] {
  const known = [...new Set(names.map((name) => name.trim()))].filter(isType);
  if (known.length === 0) throw new ApiFailure('invalid_argument', { field: 'type' });
  return known;
}

/** Returns the types that a `filters` text selects. */
function filteredTypes(filters: string | undefined): readonly EventType[] {
  if (!filters) return ARRIVALS;
  let parsed: unknown;
  try {
    parsed = JSON.parse(filters);
  } catch {
    throw new ApiFailure('invalid_argument', { field: 'filters' });
  }
  const { type, ...others } = (parsed ?? {}) as Record<string, { in?: unknown; eq?: unknown } | undefined>;
  if (typeof parsed !== 'object' || Object.keys(others).length > 0)
    throw new ApiFailure('invalid_argument', { field: 'filters' });
  const asked = type?.in ?? type?.eq;
  if (asked === undefined) return ARRIVALS;
  if (typeof asked !== 'string') throw new ApiFailure('invalid_argument', { field: 'filters' });
  return typesOf(asked.split(','));
}

export function mountEvents(
  api: Api,
  { cursors, events, links }: { cursors: Cursors; events: Events; links: Links },
): void {
  api.handle(eventApi.list, async ({ query, viewer, caller }) => {
    const types = filteredTypes(query.filters);
    const list = JSON.stringify(['events', viewer.account, types]);
    const { events: found, next } = await events.page(viewer.account, types, {
      limit: pageSize(query.limit, LIMITS.page, LIMITS.page),
      place: cursors.place(list, query.page_token || query.next_page_token),
    });
    const context = contextOf(viewer, caller, links, query.thumbnail_size);
    return {
      events: found.map(({ event, node }) => eventView(event, node, context)),
      next_page_token: next ? cursors.token(list, next) : '',
    };
  });

  api.handle(eventApi.report, async ({ body: { event }, viewer }) => {
    if (event.type !== 'TYPE_PLAY') throw new ApiFailure('invalid_argument', { field: 'event.type' });
    const { play_seconds: seconds, play_duration: duration, media_id: media } = event.params ?? {};
    await events.played(viewer.account, event.file_id, { seconds, duration, media });
    return {};
  });

  api.handle(eventApi.remove, { underKey: 'joined' }, async ({ body, viewer }) => {
    await events.remove(viewer.account, body.ids);
    return {};
  });

  api.handle(eventApi.clear, { underKey: 'joined' }, async ({ body, viewer }) => {
    await events.clear(viewer.account, body.types?.length ? typesOf(body.types) : ARRIVALS);
    return {};
  });
}
