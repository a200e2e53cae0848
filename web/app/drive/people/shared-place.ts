import type { T } from '#app/i18n/t.ts';
import type { Crumb } from '#app/node/breadcrumb.tsx';
import { folderHref, type FolderPath } from '../drive-data.ts';

/** Id of the crumb above what others share; no folder has this id. */
const SHARED_PLACE = '/drive/shared';

/** Address of a folder, or of the list of what others share. */
export const placeHref = (id: string): string => (id === SHARED_PLACE ? SHARED_PLACE : folderHref(id));

/** Path of a folder, from the member's root or from what others share. */
export function crumbsOf(t: T, ancestors: FolderPath['ancestors'], isShared: boolean): Crumb[] {
  const top = isShared
    ? { id: SHARED_PLACE, name: t('people.shared'), href: SHARED_PLACE }
    : { id: '', name: t('drive.files'), href: folderHref('') };
  return [top, ...ancestors.map(({ id, name }) => ({ id, name, href: folderHref(id) }))];
}
