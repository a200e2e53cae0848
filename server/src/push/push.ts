import { createECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { ApiFailure, type Locale, type PushKind } from '@bowerbird/contract';
import { isPublicAddress } from '../foundation/index.ts';

/** Subscription of a browser: the address to which messages are sent, and the keys for them, in base64url. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Browser that gets notifications, for as long as its session lasts. */
export interface PushDeviceRow extends Subscription {
  readonly id: string;
  readonly account: string;
  readonly session: string;
  readonly name: string;
  readonly locale: Locale;
  readonly withNames: boolean;
  readonly createdAt: number;
  readonly sentAt: number | undefined;
}

/** Something that happened, about which a member may be notified. `name` is that of the file or share. */
export interface PushEvent {
  readonly kind: PushKind;
  readonly name: string;
}

/** Maximum number of browsers per account; the oldest give way. */
export const DEVICES_MOST = 20;

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** Throws `invalid_argument` unless the endpoint and the keys can be used to send messages to a public address. */
export function checkSubscription({ endpoint, p256dh, auth }: Subscription): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isPublic = isIP(host) === 0 ? host.includes('.') : isPublicAddress(host);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || !isPublic)
    throw new ApiFailure('invalid_argument', { field: 'endpoint' });
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES)
    throw new ApiFailure('invalid_argument', { field: 'auth' });
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES || !isOnCurve(point))
    throw new ApiFailure('invalid_argument', { field: 'p256dh' });
}

function isOnCurve(point: Buffer): boolean {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}
