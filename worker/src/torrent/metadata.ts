import { createHash } from 'node:crypto';
import type Wire from 'bittorrent-protocol';
import type { Extension } from 'bittorrent-protocol';
import { BencodeError, readBencoded, writeBencoded } from './bencode.ts';
import { MAX_TORRENT_BYTES } from './torrent-file.ts';

/** Exchanges the info dictionary of a torrent with peers (BEP 9). */
export interface Metadata {
  /** Replaces webtorrent's own extension on a connection. */
  readonly extension: new (wire: Wire) => Extension;
}

const NAME = 'ut_metadata';
const BLOCK_BYTES = 16 * 1024;
const [REQUEST, DATA, REJECT] = [0, 1, 2];
/** Peers asked at once; each may make us hold up to the maximum size of a torrent. */
const MOST_ASKED = 4;
const MOST_PENDING = 8;
/** A peer that does not answer for this long is replaced by another. */
const TIMEOUT_MS = 15_000;

/** Sends the info to peers that request it. */
export function offerMetadata(info: Uint8Array): Metadata {
  class Offer implements Extension {
    readonly wire: Wire;

    constructor(wire: Wire) {
      this.wire = wire;
      wire.extendedHandshake['metadata_size'] = info.length;
    }

    onMessage(bytes: Uint8Array): void {
      const message = readMessage(bytes);
      if (message?.type !== REQUEST) return;
      const start = message.piece * BLOCK_BYTES;
      const block = info.subarray(start, start + BLOCK_BYTES);
      const type = block.length > 0 ? DATA : REJECT;
      send(this.wire, { msg_type: type, piece: message.piece, total_size: info.length }, block);
    }

    /** Does nothing, where webtorrent would set its own metadata. */
    setMetadata(): void {}
  }
  return { extension: named(Offer) };
}

/** Requests the info from peers until one sends bytes that match the info-hash. */
export function seekMetadata(infoHash: string, found: (info: Uint8Array) => void): Metadata {
  const waiting = new Set<Seeker>();
  const asked = new Set<Seeker>();

  function askNext(): void {
    for (const seeker of waiting) {
      if (asked.size >= MOST_ASKED) return;
      waiting.delete(seeker);
      asked.add(seeker);
      seeker.begin();
    }
  }

  class Seeker implements Extension {
    readonly wire: Wire;
    size = 0;
    next = 0;
    missing = 0;
    blocks: (Uint8Array | undefined)[] = [];
    timer: NodeJS.Timeout | undefined;

    constructor(wire: Wire) {
      this.wire = wire;
      wire.once('close', () => this.giveUp());
    }

    onExtendedHandshake(handshake: Record<string, unknown>): void {
      const { m, metadata_size: size } = handshake;
      const speaks = typeof m === 'object' && m !== null && NAME in m;
      if (this.size > 0 || !speaks || typeof size !== 'number') return;
      if (!Number.isInteger(size) || size <= 0 || size > MAX_TORRENT_BYTES) return;
      this.size = size;
      waiting.add(this);
      askNext();
    }

    begin(): void {
      this.missing = Math.ceil(this.size / BLOCK_BYTES);
      this.blocks = Array.from({ length: this.missing });
      this.waitLonger();
      while (this.next < Math.min(MOST_PENDING, this.blocks.length)) this.ask();
    }

    ask(): void {
      send(this.wire, { msg_type: REQUEST, piece: this.next });
      this.next += 1;
    }

    waitLonger(): void {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.giveUp(), TIMEOUT_MS).unref();
    }

    onMessage(bytes: Uint8Array): void {
      const message = readMessage(bytes);
      if (!message || !asked.has(this)) return;
      if (message.type === REJECT) return this.giveUp();
      const { type, piece, rest } = message;
      if (type !== DATA || piece >= this.next || this.blocks[piece]) return;
      if (rest.length !== Math.min(BLOCK_BYTES, this.size - piece * BLOCK_BYTES))
        return void this.wire.destroy();
      this.blocks[piece] = Uint8Array.from(rest);
      this.missing -= 1;
      this.waitLonger();
      if (this.missing === 0) this.finish();
      else if (this.next < this.blocks.length) this.ask();
    }

    finish(): void {
      const info = Buffer.concat(this.blocks as Uint8Array[]);
      this.giveUp();
      if (createHash('sha1').update(info).digest('hex') === infoHash) found(info);
      else this.wire.destroy();
    }

    giveUp(): void {
      clearTimeout(this.timer);
      this.blocks = [];
      waiting.delete(this);
      if (asked.delete(this)) askNext();
    }

    setMetadata(): void {}
  }
  return { extension: named(Seeker) };
}

/** Sets the name of an extension, which webtorrent reads from the prototype. */
function named(extension: new (wire: Wire) => Extension): new (wire: Wire) => Extension {
  Object.defineProperty(extension.prototype, 'name', { value: NAME });
  return extension;
}

function send(wire: Wire, fields: Record<string, number>, block: Uint8Array = new Uint8Array()): void {
  const message = new Map(Object.entries(fields));
  wire.extended(NAME, Buffer.concat([writeBencoded(message), block]));
}

function readMessage(bytes: Uint8Array): { type: number; piece: number; rest: Uint8Array } | undefined {
  const spans = new Map<string, [number, number]>();
  try {
    const message = readBencoded(bytes, spans);
    if (!(message instanceof Map)) return undefined;
    const [type, piece] = [message.get('msg_type'), message.get('piece')];
    if (typeof type !== 'number' || typeof piece !== 'number' || piece < 0) return undefined;
    return { type, piece, rest: bytes.subarray(spans.get('')![1]) };
  } catch (error) {
    if (error instanceof BencodeError) return undefined;
    throw error;
  }
}
