import { EllipsisVertical } from 'lucide-react';
import type { FileCategory } from '@bowerbird/contract';
import { KindIcon } from '#app/ui/kind-icon.tsx';

const MENU = 'entry-menu-icon';
const kindId = (category: FileCategory): string => `entry-kind-${category}`;

/** Icons that the entries of a list refer to, so that each is contained in the page only once. */
export function EntryIcons({ categories }: { categories: ReadonlySet<FileCategory> }) {
  return (
    <svg aria-hidden="true" className="absolute size-0">
      <symbol id={MENU} viewBox="0 0 24 24">
        <EllipsisVertical className="size-6" />
      </symbol>
      {[...categories].map((category) => (
        <symbol key={category} id={kindId(category)} viewBox="0 0 24 24">
          <KindIcon category={category} size={24} />
        </symbol>
      ))}
    </svg>
  );
}

export function EntryMenuIcon() {
  return (
    <svg aria-hidden="true" className="lucide">
      <use href={`#${MENU}`} />
    </svg>
  );
}

/** Icon of an entry's kind; {@link EntryIcons} has to contain it. */
export function EntryKindIcon({ category, size = 18 }: { category: FileCategory; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="lucide"
      style={size === 18 ? undefined : { width: size, height: size }}
    >
      <use href={`#${kindId(category)}`} />
    </svg>
  );
}
