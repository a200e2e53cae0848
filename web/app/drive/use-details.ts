import { useState } from 'react';
import { singleId, type Selecting } from '#app/node/index.ts';

/** Whether the details are shown, and of what: the one selected entry, or, with nothing selected, the one they were asked for. */
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
