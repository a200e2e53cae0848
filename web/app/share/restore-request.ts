/** Save request of a visitor who had to sign in first; it continues automatically on the next page. */
export interface RestoreRequest {
  readonly share_id: string;
  /** Empty for the whole share. */
  readonly file_ids: readonly string[];
  readonly count: number;
}

const BODY = 'pp_restore_request_body';
const CONTINUE = 'pp_restore_continue';
/** Visitors who take longer than this to sign in have forgotten why. */
const FRESH_MS = 30 * 60_000;

export function keepRequest(request: RestoreRequest, now: number): void {
  try {
    localStorage.setItem(BODY, JSON.stringify(request));
    localStorage.setItem(CONTINUE, String(now));
  } catch {
    // Without storage, the visitor has to press Save again.
  }
}

/** Returns the kept request for this share, and removes it. */
export function takeRequest(shareId: string, now: number): RestoreRequest | undefined {
  try {
    const since = now - Number(localStorage.getItem(CONTINUE) ?? 0);
    const request = JSON.parse(localStorage.getItem(BODY) ?? 'null') as RestoreRequest | null;
    if (request?.share_id !== shareId) return undefined;
    forgetRequest();
    return since <= FRESH_MS ? request : undefined;
  } catch {
    return undefined;
  }
}

export function forgetRequest(): void {
  try {
    localStorage.removeItem(BODY);
    localStorage.removeItem(CONTINUE);
  } catch {
    // Without storage, nothing was kept.
  }
}
