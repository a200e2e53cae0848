import {
  isFields,
  readActivities,
  readLinkCategories,
  readTelegramBot,
  SITE_DOCUMENTS,
  type Download,
  type SiteDocument,
} from '@bowerbird/contract';

/** Documents that the administrator sets for clients, by name; and the offered apps. */
export interface SiteDocuments {
  of(name: SiteDocument): Record<string, unknown>;
  readonly downloads: readonly Download[];
}

function downloadOf(entry: unknown): Download {
  const { platform, version = '', url } = isFields(entry) ? entry : {};
  if (typeof platform !== 'string' || typeof url !== 'string' || !/^https?:/.test(url))
    throw new Error('each item in downloads needs a platform and a url that starts with http: or https:');
  return { platform, version: String(version), url };
}

/** Validators of documents that pages read. */
const SHAPES: Partial<Record<string, (document: Record<string, unknown>) => unknown>> = {
  activity_operation: readActivities,
  resources: readLinkCategories,
  basic: readTelegramBot,
};

function checkShape(name: string, document: Record<string, unknown>): void {
  try {
    SHAPES[name]?.(document);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Parses the administrator's file; throws a sentence about an error in it. */
export function readSiteDocuments(text: string): SiteDocuments {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!isFields(parsed)) throw new Error('must be a JSON object');
  const { downloads = [], ...documents } = parsed;
  for (const [name, value] of Object.entries(documents)) {
    if (!SITE_DOCUMENTS.some((known) => known === name)) throw new Error(`has an unknown document ${name}`);
    if (!isFields(value)) throw new Error(`${name} must be an object`);
    checkShape(name, value);
  }
  if (!Array.isArray(downloads)) throw new Error('downloads must be a list');
  return {
    of: (name) => (documents[name] ?? {}) as Record<string, unknown>,
    downloads: downloads.map(downloadOf),
  };
}
