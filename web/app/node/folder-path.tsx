import { shownName } from './name/shown-name.ts';

/** Most folders of a path that are shown: the last ones say most. */
const MOST = 3;

/** Folders above an item, the top folder first. */
export function FolderPath({
  path,
  root,
  className,
}: {
  path: readonly { readonly name: string }[];
  /** Name of what contains the top folder. */
  root: string;
  className?: string;
}) {
  const names = [shownName(root), ...path.map(({ name }) => shownName(name))];
  const shown = names.length > MOST ? ['…', ...names.slice(-MOST + 1)] : names;
  return (
    <span title={names.join(' / ')} className={className}>
      {shown.map((name, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one path, which never change places
        <span key={at}>
          {at > 0 && ' / '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </span>
  );
}
