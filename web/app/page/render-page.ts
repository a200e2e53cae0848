import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';

/**
 * Renders a page completely. Its data is loaded before, so an earlier part would not arrive sooner, and sending a page
 * in pieces takes longer than sending it at once. Rejects if nothing of the page can be shown.
 */
export function renderPage(
  page: ReactNode,
  {
    nonce,
    signal,
    onError,
  }: {
    readonly nonce: string;
    /** Ends the render: what isn't rendered by then is left to the browser. */
    readonly signal: AbortSignal;
    readonly onError: (error: unknown) => void;
  },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let html = '';
  // Less than a stream, which would take as long for each of the many small pieces as React takes to create it.
  const sink = {
    write(piece: string | Uint8Array) {
      html += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
      return true;
    },
    end: () => resolve(html),
    destroy: reject,
    on: () => sink,
  };
  const { pipe, abort } = renderToPipeableStream(page, {
    nonce,
    // Leaves a list where it belongs, however long it is; otherwise a script would move it there.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError,
    onShellError: reject,
    onAllReady: () => void pipe(sink as unknown as NodeJS.WritableStream),
  });
  const end = (): void => abort(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
}
