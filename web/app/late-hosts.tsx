import { CodeHost } from './account/index.ts';
import { DebugHost } from './debug/index.ts';
import { ServiceWorkerHost } from './pwa/index.ts';
import { FrameHost } from './site/frame-host.ts';

/**
 * Stands by on every page, and comes after the page itself: sign-in by a code of the address, the console, the worker of
 * the installed app, and the word with a page around this one.
 */
export default function LateHosts() {
  return (
    <>
      <CodeHost />
      <DebugHost />
      <ServiceWorkerHost />
      <FrameHost />
    </>
  );
}
