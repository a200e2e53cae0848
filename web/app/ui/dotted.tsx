import { Fragment, type ReactNode } from 'react';

/** Facts in one line, with a dot between them. */
export function Dotted({ facts }: { facts: readonly ReactNode[] }) {
  return facts.map((fact, at) => (
    // A fact is known by its place alone.
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && ' · '}
      {fact}
    </Fragment>
  ));
}
