import { shieldApi } from '@bowerbird/contract';
import { call } from '#app/api/client.ts';
import { readCookie } from '#app/browser/cookies.ts';
import { deviceId } from '#app/browser/device.ts';

let asked: Promise<boolean> | undefined;

/**
 * Returns true if the operator allows this device or member to open the console; asked once, and false if the
 * request fails.
 */
export function mayDebug(): Promise<boolean> {
  asked ??= ask().catch((error: unknown) => {
    console.warn('could not check if the console may be opened:', error);
    return false;
  });
  return asked;
}

async function ask(): Promise<boolean> {
  const data = { uuid: deviceId(), userid: readCookie('pp_user_id') ?? '' };
  const { values } = await call(shieldApi.debugOptions, { body: { client: 'web', data } });
  return values.debug_options.allow_vconsole;
}
