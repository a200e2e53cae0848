import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Announcement, Answer } from './announcement.ts';
import { readCompactPeers } from './peer-addresses.ts';

const CONNECTING = Buffer.from('0000041727101980', 'hex');
const [CONNECT, ANNOUNCE] = [0, 1];
const EVENTS = { completed: 1, started: 2, stopped: 3 };
const TRIES_MS = [3000, 6000, 12_000];
const CONNECTED_BYTES = 16;
const ANNOUNCED_BYTES = 20;

/** Announces to a tracker over UDP (BEP 15). Rejects with any error. */
export async function askUdpTracker(
  tracker: string,
  announcement: Announcement,
  signal: AbortSignal,
): Promise<Answer> {
  const { hostname, port } = new URL(tracker);
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  // Socket errors lead to a timeout.
  socket.on('error', () => {});
  try {
    const exchange = (message: Buffer, least: number): Promise<Buffer> =>
      converse(socket, message, { host, port: Number(port || 80), least, signal });
    const connected = await exchange(Buffer.concat([CONNECTING, action(CONNECT)]), CONNECTED_BYTES);
    const id = connected.subarray(8, 16);
    const answer = await exchange(Buffer.concat([id, action(ANNOUNCE), body(announcement)]), ANNOUNCED_BYTES);
    return {
      seconds: answer.readUInt32BE(8),
      peers: readCompactPeers(answer.subarray(ANNOUNCED_BYTES), family),
    };
  } finally {
    socket.close();
  }
}

/** Writes an action code and a random transaction id, which the response must repeat. */
function action(code: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(code);
  randomBytes(4).copy(bytes, 4);
  return bytes;
}

function body({ infoHash, peerId, downloaded, left, uploaded, event, port }: Announcement): Buffer {
  const numbers = Buffer.alloc(42);
  numbers.writeBigUInt64BE(BigInt(downloaded), 0);
  numbers.writeBigUInt64BE(BigInt(left), 8);
  numbers.writeBigUInt64BE(BigInt(uploaded), 16);
  numbers.writeUInt32BE(event ? EVENTS[event] : 0, 24);
  randomBytes(4).copy(numbers, 32);
  numbers.writeInt32BE(-1, 36);
  numbers.writeUInt16BE(port, 40);
  return Buffer.concat([Buffer.from(infoHash, 'hex'), Buffer.from(peerId, 'hex'), numbers]);
}

interface Question {
  readonly host: string;
  readonly port: number;
  readonly least: number;
  readonly signal: AbortSignal;
}

/** Sends a message repeatedly until a response with its transaction id arrives. */
async function converse(
  socket: Socket,
  message: Buffer,
  { host, port, least, signal }: Question,
): Promise<Buffer> {
  const head = message.subarray(8, 16);
  const answered = Promise.withResolvers<Buffer>();
  const listen = (bytes: Buffer): void => {
    if (bytes.length >= least && bytes.subarray(0, 8).equals(head)) answered.resolve(bytes);
    else if (
      bytes.length >= 8 &&
      bytes.readUInt32BE(0) === 3 &&
      bytes.subarray(4, 8).equals(head.subarray(4))
    )
      answered.reject(new Error(`Tracker refused: ${bytes.subarray(8, 200).toString()}`));
  };
  answered.promise.catch(() => {});
  socket.on('message', listen);
  try {
    for (const wait of TRIES_MS) {
      socket.send(message, port, host, (error) => error && answered.reject(error));
      const answer = await Promise.race([answered.promise, sleep(wait, undefined, { signal })]);
      if (answer) return answer;
    }
    throw new Error('Tracker did not answer');
  } finally {
    socket.off('message', listen);
  }
}
