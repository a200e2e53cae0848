import { accountApi, oauthApi, WEB_CLIENT_ID, type ApiCall } from '@bowerbird/contract';
import { portSaid, programSaid, says } from '#app/browser/page-query.ts';
import { codeOfBridge, codeOfDesktop, codeOfExtension, handToExtension } from './code-sources.ts';

/** Returns true if an address indicates that the reader comes from a first-party app. */
export function comesFromApp(query: URLSearchParams): boolean {
  return says(query, 'bridge_auth') || programSaid(query) !== undefined;
}

async function askForCode(query: URLSearchParams, call: ApiCall): Promise<string> {
  if (says(query, 'bridge_auth')) return codeOfBridge();
  if (programSaid(query) === 'pp_browser_extension')
    return codeOfExtension((await call(oauthApi.doors, {})).extensions);
  const port = portSaid(query);
  if (port === undefined) throw new Error('the address contains no port');
  return codeOfDesktop(port);
}

/**
 * Signs in a visitor whose account the originating app knows. Returns false on failure; the reason is only
 * logged.
 */
export async function signInByApp(query: URLSearchParams, call: ApiCall): Promise<boolean> {
  try {
    const code = await askForCode(query, call);
    const body = {
      grant_type: 'authorization_code',
      code,
      client_id: WEB_CLIENT_ID,
      session: 'cookie',
    } as const;
    await call(accountApi.token, { body });
    return true;
  } catch (error) {
    console.info('no code came from the app', error);
    return false;
  }
}

/** Signs the browser extension in as the member who came from it. */
export async function signExtensionIn(query: URLSearchParams, call: ApiCall): Promise<void> {
  if (programSaid(query) !== 'pp_browser_extension') return;
  try {
    const { extensions } = await call(oauthApi.doors, {});
    await handToExtension(extensions, async () => (await call(oauthApi.handOver, {})).code);
  } catch (error) {
    console.info('the extension took no code', error);
  }
}
