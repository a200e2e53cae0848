import type { Solved } from '#app/api/challenge.ts';

/** What the pages in the overlay's frame say to it. */
export type FrameMessage =
  | { readonly type: 'captcha:layout'; readonly height: number }
  | ({ readonly type: 'captcha:token' } & Solved);

/** Undefined for anything that is not whole. */
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

/** Says it to the frame around this page, where that is one of ours. */
export function tellFrame(message: FrameMessage, origins: readonly string[]): void {
  if (window.parent === window) return;
  for (const origin of origins) window.parent.postMessage(message, origin);
}
