import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../../web/app/routes.ts';

/** Sample values for the parameters in the table of routes. */
const SAMPLES: Readonly<Record<string, string>> = {
  ':shareId': 'V0nothing',
  ':slug': 'hello',
  ':name': 'privacy-policy',
  ':version?': '2023-10-14',
  ':folderId?': 'nowhere',
  ':token': 'a-link-that-is-over',
  ':order': 'V0unknown',
};

interface Place {
  /** Path without its locale. */
  readonly path: string;
  /** True if the address may begin with a locale. */
  readonly hasLocale: boolean;
}

function placesOf(entries: readonly RouteConfigEntry[], above: Place): Place[] {
  return entries.flatMap((entry) => {
    const place = below(above, entry.path);
    return entry.children ? placesOf(entry.children, place) : [place];
  });
}

function below({ path, hasLocale }: Place, added = ''): Place {
  if (added === ':locale?') return { path, hasLocale: true };
  const names = added.split('/').filter((name) => name !== '');
  const filled = names.map((name) => (name === '*' ? 'some/where' : (SAMPLES[name] ?? name)));
  for (const name of filled) if (name.startsWith(':')) throw new Error(`no sample for ${name}`);
  return { path: [path, ...filled].join('/'), hasLocale };
}

/** One address for each line of the table of routes; the last one belongs to no page. */
export const PLACES: readonly Place[] = placesOf(routes, { path: '', hasLocale: false });
