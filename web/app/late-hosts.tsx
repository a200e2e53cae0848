import { CodeHost } from './account/index.ts';
import { DebugHost } from './debug/index.ts';
import { WelcomeHost } from './membership/index.ts';
import { ServiceWorkerHost } from './pwa/index.ts';

/**
 * Hosts on every page that are loaded after the page itself: sign-in by a code in the address, the console, the
 * installed app's worker, and the days that new members get.
 */
export default function LateHosts() {
  return (
    <>
      <CodeHost />
      <DebugHost />
      <ServiceWorkerHost />
      <WelcomeHost />
    </>
  );
}
