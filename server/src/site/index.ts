import { readFileSync } from 'node:fs';
import type { EndpointSpec } from '@bowerbird/contract';
import { createAreaCheck } from './area.ts';
import { readSiteDocuments, type SiteDocuments } from './site-document.ts';
import { mountSite, type Readiness, type Warnings } from './site-routes.ts';
import { createSettings, type Settings } from './site-store.ts';
import { mountStatistics } from './statistics-routes.ts';
import { createStatistics } from './statistics-service.ts';
import { mountWire } from './wire-routes.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';

export { openLibrary, parseText, pathsOf } from './library.ts';
export { errorsOf } from './openapi.ts';
export type { Readiness } from './site-routes.ts';
export type { Settings } from './site-store.ts';
export type { Statistics } from './statistics-service.ts';

interface Parts extends Foundation {
  endpoints: readonly EndpointSpec[];
  readiness: Readiness;
  warnings: Warnings;
  version: string;
}

/** The installation itself: its health, the documents for clients, and its stored settings. */
export function createSite({ database, clock, log, config, ...parts }: Parts) {
  const settings: Settings = createSettings({ clock });
  const isOffered = createAreaCheck({
    countries: config.BLOCKED_COUNTRIES,
    networks: config.BLOCKED_NETWORKS,
  });
  const documents = documentsIn(config.SITE_DOCUMENTS);
  const statistics = createStatistics({ database, clock, log, isOn: config.STATISTICS });
  return {
    settings,
    statistics,
    documents,
    mount({ api, http }: Mount) {
      mountSite(http, { ...parts, clock, contact: config.CONTACT_ADDRESS });
      mountWire(api, { isOffered, documents });
      mountStatistics(api, statistics);
    },
    close: () => statistics.flush(),
  };
}

function documentsIn(file: string | undefined): SiteDocuments {
  if (file === undefined) return readSiteDocuments('{}');
  try {
    return readSiteDocuments(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`SITE_DOCUMENTS (${file}): ${(error as Error).message}`, { cause: error });
  }
}
