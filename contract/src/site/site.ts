import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { HAPPENINGS, HAPPENINGS_PATH } from './happenings.ts';
import { Empty, oneOf } from '../wire.ts';

/** Documents for clients that the administrator can write, by name. */
export const SITE_DOCUMENTS = ['external_products', 'resources', 'activity_operation', 'basic'] as const;
export type SiteDocument = (typeof SITE_DOCUMENTS)[number];

const Asking = Type.Object({
  client: Type.Optional(Type.String({ maxLength: 64 })),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const Document = Type.Object({
  /** The administrator's text, unchanged; empty if there is none. */
  values: Type.Record(Type.String(), Type.Unknown()),
});
const document = <const Name extends SiteDocument>(name: Name, summary: string) =>
  endpoint({
    name: `site.${name}`,
    method: 'POST',
    path: `/config/v1/${name}`,
    host: 'config',
    credentials: 'none',
    repeatable: true,
    summary,
    body: Asking,
    reply: Document,
  });

export const Download = Type.Object({
  platform: Type.String(),
  version: Type.String(),
  url: Type.String(),
});
export type Download = Static<typeof Download>;

export const siteApi = {
  areaAccessible: endpoint({
    name: 'site.areaAccessible',
    method: 'GET',
    path: '/access_controller/v1/area_accessible',
    host: 'access',
    credentials: 'none',
    summary: 'Check regional availability',
    description: "Returns whether the service is available at the caller's location.",
    reply: Type.Object({ accessible: Type.Boolean() }),
  }),
  areaCountry: endpoint({
    name: 'site.areaCountry',
    method: 'GET',
    path: '/drive/v1/privilege/area_country_code',
    host: 'drive',
    credentials: 'optional',
    summary: "Get the caller's country",
    description: 'The country is an estimate.',
    reply: Type.Object({
      result: Type.Literal('ACCEPTED'),
      data: Type.Object({
        /** Country code of two capital letters, or "" if unknown. */
        countryCode: Type.String(),
        ip: Type.String(),
      }),
    }),
  }),
  publicDownloads: endpoint({
    name: 'site.publicDownloads',
    method: 'GET',
    path: '/drive/v1/statistics/pub/download',
    host: 'drive',
    credentials: 'none',
    summary: 'List programs for this service',
    description: 'Returns the programs that the administrator offers.',
    reply: Type.Object({ downloads: Type.Array(Download) }),
  }),
  happened: endpoint({
    name: 'site.happened',
    method: 'POST',
    path: HAPPENINGS_PATH,
    host: 'config',
    credentials: 'none',
    summary: 'Count page events',
    description: 'Counts what happened on a page. No information about the visitor is collected or stored.',
    body: Type.Object({
      happenings: Type.Array(
        Type.Object({
          name: oneOf(HAPPENINGS),
          /** A short word: the chosen language, the place that was clicked, or where visitors came from. */
          detail: Type.Optional(Type.String({ pattern: '^[\\w.:/-]{0,64}$' })),
        }),
        { maxItems: 20 },
      ),
    }),
    reply: Empty,
  }),
  external_products: document('external_products', "Get the administrator's other offers"),
  resources: document('resources', "Get the administrator's texts and pictures"),
  activity_operation: document('activity_operation', 'Get the current activities'),
  basic: document('basic', 'Get the basic information for clients'),
};
