import { useState } from 'react';
import { Fingerprint } from 'lucide-react';
import { useNavigate, useRevalidator } from 'react-router';
import { accountApi, isApiFailure, WEB_CLIENT_ID } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormAlert } from '../form/form-parts.tsx';
import { askPasskey, canUsePasskeys, isDismissal } from '../web-authn.ts';

/** Signs in with a passkey of this device; hidden if passkeys are not available. */
export function PasskeyButton({
  continueTo,
  onDone,
  onKeep,
}: {
  continueTo: string;
  onDone?: (() => void) | undefined;
  /** Called if the passkey is valid, but the account is being deleted. */
  onKeep: (kept: FormResult['keep']) => void;
}) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const revalidator = useRevalidator();
  const isBrowser = useIsBrowser();
  const [busy, setBusy] = useState(false);
  const [isRefused, setRefused] = useState(false);
  if (!isBrowser || !canUsePasskeys()) return null;

  const enter = async (): Promise<void> => {
    setBusy(true);
    setRefused(false);
    try {
      const signed = await askPasskey(await call(accountApi.askPasskey, {}));
      const body = { client_id: WEB_CLIENT_ID, session: 'cookie', ...signed } as const;
      await call(accountApi.passkeySignIn, { body });
      await revalidator.revalidate();
      if (onDone) onDone();
      else await navigate(continueTo, { replace: true });
    } catch (error) {
      const { keep, closes_at: closesAt = '' } = isApiFailure(error) ? error.facts : {};
      if (keep !== undefined) onKeep({ ticket: keep, closesAt });
      setRefused(keep === undefined && !isDismissal(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="grid gap-3">
      {isRefused && <FormAlert>{t('account.passkey.refused')}</FormAlert>}
      <Button size="l" icon={<Fingerprint />} busy={busy} className="w-full" onClick={() => void enter()}>
        {t('account.passkey.signIn')}
      </Button>
    </div>
  );
}
