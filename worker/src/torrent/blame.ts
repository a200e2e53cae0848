import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type Wire from 'bittorrent-protocol';
import type { Torrent as Joined } from 'webtorrent';

/** Finds out who gives wrong bytes, and keeps them away. */
export interface Blame {
  watch(torrent: Joined, has: (piece: number) => boolean): void;
}

interface Block {
  readonly attempt: number;
  readonly peer: string;
  readonly digest: string;
}
interface Suspicion {
  attempt: number;
  readonly blocks: Map<number, Block[]>;
}

/**
 * Who gave all of a wrong piece is banned at once. Where several did, the next tries are written down block by block,
 * and compared as soon as one is right.
 */
export function createBlame(): Blame {
  const banned = new Set<string>();

  function watch(torrent: Joined, has: (piece: number) => boolean): void {
    const peerOf = (wire: Wire): string => wire.remoteAddress ?? `${wire.type} ${torrent.infoHash}`;
    const givers = new Map<number, Set<string>>();
    const suspicions = new Map<number, Suspicion>();

    function ban(peer: string): void {
      banned.add(peer);
      for (const wire of [...torrent.wires]) if (peerOf(wire) === peer) wire.destroy();
    }

    torrent.on('wire', (wire: Wire) => {
      const peer = peerOf(wire);
      if (banned.has(peer)) return void wire.destroy();
      wire.on('piece', (piece: number, offset: number, bytes: Uint8Array) => {
        if (piece >= torrent.pieces.length || has(piece)) return;
        const known = givers.get(piece) ?? new Set();
        givers.set(piece, known.add(peer));
        const suspicion = suspicions.get(piece);
        if (suspicion) note(suspicion, offset, peer, bytes);
      });
    });

    torrent.on('verified', (piece: number) => {
      givers.delete(piece);
      const suspicion = suspicions.get(piece);
      suspicions.delete(piece);
      for (const peer of suspicion ? liars(suspicion) : []) ban(peer);
    });

    torrent.on('warning', (warning: Error) => {
      const failed = /^Piece (\d+) failed verification$/.exec(warning.message)?.[1];
      if (!failed) return;
      const piece = Number(failed);
      const [peer, ...others] = givers.get(piece) ?? [];
      givers.delete(piece);
      const suspicion = suspicions.get(piece) ?? { attempt: 0, blocks: new Map() };
      suspicion.attempt += 1;
      suspicions.set(piece, suspicion);
      if (peer && others.length === 0) ban(peer);
    });

    // Those who were sent away would be asked again.
    const add = torrent._addPeer;
    torrent._addPeer = (peer, ...rest) =>
      typeof peer === 'string' && banned.has(hostOf(peer)) ? null : add.call(torrent, peer, ...rest);
  }

  return { watch };
}

/** Only the first bytes for a block count; those that come again are not used. */
function note({ attempt, blocks }: Suspicion, offset: number, peer: string, bytes: Uint8Array): void {
  const list = blocks.get(offset) ?? [];
  if (list.at(-1)?.attempt === attempt) return;
  list.push({ attempt, peer, digest: createHash('sha1').update(bytes).digest('base64') });
  blocks.set(offset, list);
}

/** Whose blocks were other ones than those of the try that was right, the last. */
function liars({ blocks }: Suspicion): Set<string> {
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
