const PRELOAD = '<link rel="modulepreload"';

/**
 * Lowers the priority of a page's script preloads, so that its styles and text load first: the page must be
 * readable before it becomes interactive, and the router has no option for the priority of its preloads.
 * Transforms the bytes of its HTML, in chunks of any size.
 */
export function scriptsLast(page: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = page.getReader();
  let held = '';
  const later = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array => {
    // Decodes bytes one by one: the search string is ASCII, and multibyte characters may be split between
    // chunks.
    const html = held + Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const cut = html.lastIndexOf('<');
    // A chunk may end with the start of a preload, whose rest is in the next one.
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
