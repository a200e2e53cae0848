import { useEffect, useState } from 'react';
import { oauthApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';

/** Ways to sign in besides the password, as this service has them. */
export interface Doors {
  /** What the service elsewhere is called whose accounts are good here, or "". */
  readonly external: string;
  readonly mailCode: boolean;
  readonly phoneCode: boolean;
}

const ALWAYS: Doors = { external: '', mailCode: false, phoneCode: false };

/** The doors that a page knows, else looked up; until they are found only those that are always there. */
export function useDoors(known: Doors | undefined): Doors {
  const call = useCall();
  const [found, setFound] = useState(ALWAYS);
  useEffect(() => {
    if (known !== undefined) return;
    call(oauthApi.doors, {}).then(
      ({ external, mail_code: mailCode, phone_code: phoneCode }) =>
        setFound({ external, mailCode, phoneCode }),
      // The other ways to sign in are there all the same.
      () => undefined,
    );
  }, [known, call]);
  return known ?? found;
}
