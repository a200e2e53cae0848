/** What strangers may send this process to: one gate before every connection and datagram, whatever library makes it. */
import { networksOf } from './addresses.ts';
import { guardConnections } from './connections.ts';
import { guardDatagrams } from './datagrams.ts';
import { createGate, type Guard } from './gate.ts';

export { isReachable, networksOf } from './addresses.ts';
export { AddressForbidden, type Guard } from './gate.ts';
export { trustedStorage } from './trusted-storage.ts';

/**
 * From now on this process reaches public addresses only, and the networks in `allow` (CIDR). For good; call it once,
 * before anything that could connect is imported.
 */
export function installGuard(allow: readonly string[]): Guard {
  const gate = createGate(networksOf(allow));
  guardConnections(gate);
  guardDatagrams(gate);
  return { trusted: gate.open, untrusted: gate.shut };
}
