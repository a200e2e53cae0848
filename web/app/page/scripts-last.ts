const PRELOAD = '<link rel="modulepreload"';

/**
 * A page that asks for its scripts after what it looks like: it is read before it answers, and the router's preloads have
 * no way to say so. Takes and gives the bytes of its HTML, in pieces of any size.
 */
export function scriptsLast(page: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = page.getReader();
  let held = '';
  const later = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array => {
    // Bytes as they are: what is looked for is ASCII, and letters of more bytes may be cut between pieces.
    const html = held + Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const cut = html.lastIndexOf('<');
    // The beginning of a preload may stand at the end, its rest in the next piece.
    const isBegun = cut >= 0 && PRELOAD.startsWith(html.slice(cut));
    held = isBegun ? html.slice(cut) : '';
    const whole = isBegun ? html.slice(0, cut) : html;
    return Buffer.from(whole.replaceAll(PRELOAD, `${PRELOAD} fetchpriority="low"`), 'latin1');
  };
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      controller.enqueue(done ? Buffer.from(held, 'latin1') : later(value));
      if (done) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
