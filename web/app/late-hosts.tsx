import { CodeHost } from './account/index.ts';
import { DebugHost } from './debug/index.ts';
import { ServiceWorkerHost } from './pwa/index.ts';

/**
 * Stands by on every page, and comes after the page itself: sign-in by a code of the address, the console, and the worker
 * of the installed app.
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
