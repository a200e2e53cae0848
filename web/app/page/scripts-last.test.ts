import { expect, test } from 'vitest';
import { scriptsLast } from './scripts-last.ts';

const HTML =
  '<p>Фото 写真</p><link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/><';

test.each([1, 2, 7, 30, 1000])('scripts get a low priority, in pieces of %i bytes', async (size) => {
  const bytes = new TextEncoder().encode(HTML);
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  const read = await new Response(scriptsLast(pieces)).text();
  expect(read).toBe(HTML.replaceAll('preload"', 'preload" fetchpriority="low"'));
});
