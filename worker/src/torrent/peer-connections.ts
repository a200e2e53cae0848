import Wire from 'bittorrent-protocol';
import type { Torrent as Joined } from 'webtorrent';

// Limits for messages of peers, since webtorrent's parser trusts peers too much.

/** Longer than any valid bitfield, block or extension message. */
const MOST_MESSAGE_BYTES = 1024 * 1024;
/** Maximum of unanswered requests of one peer. */
const MOST_REQUESTS = 500;

/**
 * Limits the size of messages and the number of requests, and turns parser errors into a closed connection instead of a
 * crash. Patches all connections of the process; later calls do nothing.
 */
export function hardenConnections(): void {
  const { _write: write, _onMessageLength: onMessageLength, _onRequest: onRequest } = Wire.prototype;
  if (write.name === 'hardened') return;

  Wire.prototype._write = function hardened(this: Wire, bytes, done) {
    try {
      write.call(this, bytes, done);
    } catch {
      this.destroy();
      done(null);
    }
  };
  Wire.prototype._onMessageLength = function hardened(this: Wire, bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    // Web seeds are our own objects, and send whole pieces.
    if (length > MOST_MESSAGE_BYTES && this.type !== 'webSeed')
      throw new RangeError(`Message of ${length} bytes`);
    onMessageLength.call(this, bytes);
  };
  Wire.prototype._onRequest = function hardened(this: Wire, ...request) {
    if (this.peerRequests.length >= MOST_REQUESTS) throw new RangeError('Too many requests');
    onRequest.apply(this, request);
  };
}

/**
 * Connects to a peer without encryption first, and with it on the next attempt: some peers insist on either, and
 * webtorrent supports only one per torrent.
 */
export function alternateEncryption(joined: Joined): void {
  const add = joined._addPeer;
  joined._addPeer = (address, ...rest) => {
    const peer = add.call(joined, address, ...rest);
    if (peer) Object.defineProperty(peer, 'secure', { get: () => peer.retries % 2 });
    return peer;
  };
}
