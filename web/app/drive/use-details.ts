import { useState } from 'react';
import { singleId, type Selecting } from '#app/node/index.ts';

/**
 * State of the details panel, and its subject: the one selected entry, or, with nothing selected, the entry that
 * it was opened for.
 */
export interface Details {
  readonly isShown: boolean;
  readonly id: string | undefined;
  readonly show: (id: string | undefined) => void;
  readonly toggle: (id?: string) => void;
  readonly hide: () => void;
}

export function useDetails(selecting: Selecting): Details {
  const [shown, setShown] = useState<{ readonly asked: string | undefined }>();
  const show = (asked: string | undefined): void => setShown({ asked });
  const hide = (): void => setShown(undefined);
  return {
    isShown: shown !== undefined,
    id: singleId(selecting.selection) ?? (selecting.count === 0 ? shown?.asked : undefined),
    show,
    hide,
    toggle: (id) => (shown ? hide() : show(id)),
  };
}
