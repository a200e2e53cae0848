import { CodeHost } from './account/index.ts';
import { LiveHost } from './api/live/use-live.ts';
import { DebugHost } from './debug/index.ts';
import { AnnouncementHost, DialogHost, WelcomeHost } from './membership/index.ts';
import { ServiceWorkerHost } from './pwa/index.ts';

/**
 * Hosts on every page that are loaded after the page itself: events of the member's account, sign-in by a code in the address, the console, the
 * installed app's worker, the days that new members get, and the dialogs that an address requests.
 */
export default function LateHosts() {
  return (
    <>
      <LiveHost />
      <CodeHost />
      <DebugHost />
      <ServiceWorkerHost />
      <WelcomeHost />
      <DialogHost />
      <AnnouncementHost />
    </>
  );
}
