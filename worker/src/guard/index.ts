/** Server-side request forgery guard: one gate before every connection and datagram, whatever library makes it. */
import { networksOf } from './addresses.ts';
import { guardConnections } from './connections.ts';
import { guardDatagrams } from './datagrams.ts';
import { createGate, type Guard } from './gate.ts';

export { isReachable, networksOf } from './addresses.ts';
export { AddressForbidden, type Guard } from './gate.ts';
export { trustedStorage } from './trusted-storage.ts';

/**
 * Restricts this process to public addresses and the networks in `allow` (CIDR). Irreversible; call it once, before the
 * import of any module that could connect.
 */
export function installGuard(allow: readonly string[]): Guard {
  const gate = createGate(networksOf(allow));
  guardConnections(gate);
  guardDatagrams(gate);
  return { trusted: gate.open, untrusted: gate.shut };
}
