import type { Version } from '@bowerbird/contract';
import { timeText } from '../../foundation/index.ts';
import type { Links, NodeRow } from '../drive.ts';
import type { VersionRow } from './version.ts';

/** A version as the API shows it to the owner of the file. */
export function versionView(
  version: VersionRow,
  file: NodeRow,
  { links, origin }: { links: Links; origin: string },
): Version {
  const { id, gcid, size } = version;
  const link = (disposition: 'inline' | 'attachment') =>
    version.quarantined_at === null
      ? links.download({ ...file, gcid, size }, { disposition, origin, version: id })
      : null;
  return {
    id,
    size: String(size),
    modified_time: timeText(version.modified_at),
    replaced_time: timeText(version.replaced_at),
    replaced_by: version.how,
    label: version.label,
    keep_forever: version.kept === 1,
    hash: gcid,
    thumbnail_link:
      version.quarantined_at === null
        ? links.thumbnail({ ...file, gcid, size }, 'SIZE_SMALL', { origin, version: id })
        : '',
    link: link('attachment'),
    inline_link: link('inline'),
  };
}
