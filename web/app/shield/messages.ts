import type { Solved } from '#app/api/challenge.ts';

/** Messages from the pages in the overlay's frame. */
export type FrameMessage =
  | { readonly type: 'captcha:layout'; readonly height: number }
  | ({ readonly type: 'captcha:token' } & Solved);

/** Returns undefined for incomplete messages. */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const said = data as Record<string, unknown>;
  if (said['type'] === 'captcha:layout' && Number.isFinite(said['height']))
    return { type: 'captcha:layout', height: said['height'] as number };
  const { captcha_token, expires_in } = said;
  if (said['type'] === 'captcha:token' && typeof captcha_token === 'string' && Number.isFinite(expires_in))
    return { type: 'captcha:token', captcha_token, expires_in: expires_in as number };
  return undefined;
}

/** Sends the message to the embedding page, if that is a first-party page. */
export function tellFrame(message: FrameMessage, origins: readonly string[]): void {
  if (window.parent === window) return;
  for (const origin of origins) window.parent.postMessage(message, origin);
}
