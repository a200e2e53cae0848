import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type Wire from 'bittorrent-protocol';
import type { Torrent as Joined } from 'webtorrent';

/** Detects peers that send wrong bytes, and bans them. */
export interface PeerBans {
  watch(torrent: Joined, has: (piece: number) => boolean): void;
}

interface Block {
  readonly attempt: number;
  readonly peer: string;
  readonly digest: string;
}
interface FailedPiece {
  attempt: number;
  readonly blocks: Map<number, Block[]>;
}

/**
 * A peer that sent all of a wrong piece is banned at once. If several peers sent it, the blocks of the next attempts
 * are recorded, and compared as soon as one attempt is correct.
 */
export function createPeerBans(): PeerBans {
  const banned = new Set<string>();

  function watch(torrent: Joined, has: (piece: number) => boolean): void {
    const peerOf = (wire: Wire): string => wire.remoteAddress ?? `${wire.type} ${torrent.infoHash}`;
    const senders = new Map<number, Set<string>>();
    const failedPieces = new Map<number, FailedPiece>();

    function ban(peer: string): void {
      banned.add(peer);
      for (const wire of [...torrent.wires]) if (peerOf(wire) === peer) wire.destroy();
    }

    torrent.on('wire', (wire: Wire) => {
      const peer = peerOf(wire);
      if (banned.has(peer)) return void wire.destroy();
      wire.on('piece', (piece: number, offset: number, bytes: Uint8Array) => {
        if (piece >= torrent.pieces.length || has(piece)) return;
        const known = senders.get(piece) ?? new Set();
        senders.set(piece, known.add(peer));
        const failedPiece = failedPieces.get(piece);
        if (failedPiece) note(failedPiece, offset, peer, bytes);
      });
    });

    torrent.on('verified', (piece: number) => {
      senders.delete(piece);
      const failedPiece = failedPieces.get(piece);
      failedPieces.delete(piece);
      for (const peer of failedPiece ? wrongPeers(failedPiece) : []) ban(peer);
    });

    torrent.on('warning', (warning: Error) => {
      const failed = /^Piece (\d+) failed verification$/.exec(warning.message)?.[1];
      if (!failed) return;
      const piece = Number(failed);
      const [peer, ...others] = senders.get(piece) ?? [];
      senders.delete(piece);
      const failedPiece = failedPieces.get(piece) ?? { attempt: 0, blocks: new Map() };
      failedPiece.attempt += 1;
      failedPieces.set(piece, failedPiece);
      if (peer && others.length === 0) ban(peer);
    });

    // Without this, webtorrent would connect to banned peers again.
    const add = torrent._addPeer;
    torrent._addPeer = (peer, ...rest) =>
      typeof peer === 'string' && banned.has(hostOf(peer)) ? null : add.call(torrent, peer, ...rest);
  }

  return { watch };
}

/** Records a block. Only the first bytes of a block count; webtorrent does not use duplicates. */
function note({ attempt, blocks }: FailedPiece, offset: number, peer: string, bytes: Uint8Array): void {
  const list = blocks.get(offset) ?? [];
  if (list.at(-1)?.attempt === attempt) return;
  list.push({ attempt, peer, digest: createHash('sha1').update(bytes).digest('base64') });
  blocks.set(offset, list);
}

/** Returns the peers whose blocks differ from those of the last attempt, which was correct. */
function wrongPeers({ blocks }: FailedPiece): Set<string> {
  const peers = new Set<string>();
  for (const list of blocks.values()) {
    const right = list.at(-1)!;
    for (const { peer, digest } of list) if (digest !== right.digest) peers.add(peer);
  }
  return peers;
}

function hostOf(address: string): string {
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return isIP(host) ? host : address;
}
