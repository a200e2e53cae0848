import { useEffect, useState } from 'react';
import { oauthApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';

/** Sign-in methods besides the password that this service offers. */
export interface Doors {
  /** Name of the external service whose accounts are accepted, or "". */
  readonly external: string;
  readonly mailCode: boolean;
  readonly phoneCode: boolean;
}

const ALWAYS: Doors = { external: '', mailCode: false, phoneCode: false };

/**
 * Returns the sign-in methods that the page provides, or looks them up; until then, only those that are
 * always available.
 */
export function useDoors(known: Doors | undefined): Doors {
  const call = useCall();
  const [found, setFound] = useState(ALWAYS);
  useEffect(() => {
    if (known !== undefined) return;
    call(oauthApi.doors, {}).then(
      ({ external, mail_code: mailCode, phone_code: phoneCode }) =>
        setFound({ external, mailCode, phoneCode }),
      // On failure, the other sign-in methods still work.
      () => undefined,
    );
  }, [known, call]);
  return known ?? found;
}
