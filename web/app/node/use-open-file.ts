import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

const PARAMETER = 'open_file';

export interface OpenFile {
  /** Id of the file in the address. */
  readonly id: string | undefined;
  /** Opens a file over the list: a history entry, so that "back" closes it. */
  readonly open: (id: string) => void;
  /** Moves to another file without a new history entry. */
  readonly turnTo: (id: string) => void;
  readonly close: () => void;
}

/** Opened file, kept in the address as `open_file`. */
export function useOpenFile(): OpenFile {
  const navigate = useNavigate();
  const location = useLocation();
  const [query] = useSearchParams();
  const id = query.get(PARAMETER) ?? undefined;
  const isOurs = (location.state as { readonly openedHere?: boolean } | null)?.openedHere === true;

  const go = useCallback(
    (id: string | undefined, replace: boolean, openedHere: boolean) => {
      const next = new URLSearchParams(location.search);
      if (id === undefined) next.delete(PARAMETER);
      else next.set(PARAMETER, id);
      void navigate(
        { pathname: location.pathname, search: next.toString(), hash: location.hash },
        { replace, state: openedHere ? { openedHere } : null, preventScrollReset: true },
      );
    },
    [location.search, location.pathname, location.hash, navigate],
  );

  return {
    id,
    open: useCallback((id) => go(id, false, true), [go]),
    turnTo: useCallback((id) => go(id, true, isOurs), [go, isOurs]),
    close: useCallback(() => {
      if (isOurs) void navigate(-1);
      else go(undefined, true, false);
    }, [go, isOurs, navigate]),
  };
}
