import Wire from 'bittorrent-protocol';
import type { Torrent as Joined } from 'webtorrent';

// What peers say is read by webtorrent, which trusts them more than we do.

/** Longer than any bitfield, block or extension message that makes sense. */
const MOST_MESSAGE_BYTES = 1024 * 1024;
/** What one peer may have asked for and not got. */
const MOST_REQUESTS = 500;

/**
 * Lets no peer make us hold a message without end, and ends the connection, not the process, where a message is more
 * than its reader can take. For all connections of the process, once.
 */
export function tameWires(): void {
  const { _write: write, _onMessageLength: onMessageLength, _onRequest: onRequest } = Wire.prototype;
  if (write.name === 'tamed') return;

  Wire.prototype._write = function tamed(this: Wire, bytes, done) {
    try {
      write.call(this, bytes, done);
    } catch {
      this.destroy();
      done(null);
    }
  };
  Wire.prototype._onMessageLength = function tamed(this: Wire, bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    // Web seeds are of our own making, and answer with whole pieces.
    if (length > MOST_MESSAGE_BYTES && this.type !== 'webSeed')
      throw new RangeError(`Message of ${length} bytes`);
    onMessageLength.call(this, bytes);
  };
  Wire.prototype._onRequest = function tamed(this: Wire, ...request) {
    if (this.peerRequests.length >= MOST_REQUESTS) throw new RangeError('Too many requests');
    onRequest.apply(this, request);
  };
}

/**
 * Speaks in the clear to a peer at first, and encrypted at the next try: there are those who insist on either, and
 * webtorrent would insist on one.
 */
export function speakBothWays(joined: Joined): void {
  const add = joined._addPeer;
  joined._addPeer = (address, ...rest) => {
    const peer = add.call(joined, address, ...rest);
    if (peer) Object.defineProperty(peer, 'secure', { get: () => peer.retries % 2 });
    return peer;
  };
}
