import { Fragment, type ReactNode } from 'react';

/** Facts on one line, separated by dots. */
export function Dotted({ facts }: { facts: readonly ReactNode[] }) {
  return facts.map((fact, at) => (
    // A fact is identified by its position alone.
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && ' · '}
      {fact}
    </Fragment>
  ));
}
