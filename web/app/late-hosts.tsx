import { CodeHost } from './account/index.ts';
import { DebugHost } from './debug/index.ts';
import { ServiceWorkerHost } from './pwa/index.ts';

/**
 * Hosts on every page that are loaded after the page itself: sign-in by a code in the address, the console, and
 * the installed app's worker.
 */
export default function LateHosts() {
  return (
    <>
      <CodeHost />
      <DebugHost />
      <ServiceWorkerHost />
    </>
  );
}
