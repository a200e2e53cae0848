import { siteApi, type SiteDocument } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import type { AreaCheck } from './area.ts';
import type { SiteDocuments } from './site-document.ts';

/** Endpoints about the installation itself. */
export function mountWire(
  api: Api,
  { isOffered, documents }: { isOffered: AreaCheck; documents: SiteDocuments },
): void {
  api.handle(siteApi.areaAccessible, async ({ caller }) => ({ accessible: isOffered(caller) }));

  api.handle(siteApi.areaCountry, async ({ caller }) => ({
    result: 'ACCEPTED' as const,
    data: { countryCode: caller.country, ip: caller.address },
  }));

  api.handle(siteApi.publicDownloads, async () => ({ downloads: [...documents.downloads] }));

  const answer = (name: SiteDocument) => async () => ({ values: documents.of(name) });
  // The details for bank transfers are for members who order something, those of the seller are on invoices.
  const { bank_transfer: _bank, invoices: _invoices, ...products } = documents.of('external_products');
  const activities = publicActivities(documents.of('activity_operation'));
  api.handle(siteApi.external_products, async () => ({ values: products }));
  api.handle(siteApi.resources, answer('resources'));
  api.handle(siteApi.activity_operation, async () => ({ values: activities }));
  api.handle(siteApi.basic, answer('basic'));
}

/** Fields of activities that aren't for everyone: they may name members. */
const NOT_PUBLIC = new Set(['compensation', 'gifts', 'sale']);

/** The activities with their texts and times only; `activity.get` has the rest. */
function publicActivities(document: Record<string, unknown>): Record<string, unknown> {
  const { activities } = document;
  if (!Array.isArray(activities)) return document;
  return {
    ...document,
    activities: activities.map((activity: object) =>
      Object.fromEntries(Object.entries(activity).filter(([field]) => !NOT_PUBLIC.has(field))),
    ),
  };
}
