import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { tellSignedIn } from '#app/api/sign-in.ts';
import { useViewer } from '#app/api/viewer.ts';
import { said, says, type PageParameter } from '#app/browser/page-query.ts';

const ENTRIES: readonly PageParameter[] = ['code', 'bridge_auth', 'from_source'];
/** Pages on which the `code` parameter has a meaning of its own. */
const OTHERS = /^\/(?:auth|device|loading|s|drive\/auth-center)(?:\/|$)/;

/**
 * Signs the reader in with what the address contains: a code, or the hint that a first-party app can provide
 * one.
 */
export function CodeHost() {
  const { pathname, search } = useLocation();
  const viewer = useViewer();
  const call = useCall();
  const navigate = useNavigate();
  const revalidator = useRevalidator();
  const query = new URLSearchParams(search);
  const isEntry = ENTRIES.some((name) => says(query, name)) && !OTHERS.test(splitLocale(pathname).path);
  const isMember = viewer !== null;

  const enter = useEffectEvent(async (): Promise<void> => {
    if (says(query, 'code')) {
      if (isMember) return;
      const code = said(query, 'code');
      const others = new URLSearchParams(search);
      others.delete('code');
      const rest = others.size === 0 ? '' : `?${others.toString()}`;
      const auth = new URLSearchParams({ code, state: pathname + rest });
      return navigate(`/auth?${auth.toString()}`, { replace: true });
    }
    const { comesFromApp, signExtensionIn, signInByApp } = await import('./code-exchange.ts');
    if (!comesFromApp(query)) return;
    if (isMember) return signExtensionIn(query, call);
    if (!(await signInByApp(query, call))) return;
    await revalidator.revalidate();
    tellSignedIn();
  });

  useEffect(() => {
    if (isEntry) void enter();
  }, [isEntry, isMember, search]);
  return null;
}
