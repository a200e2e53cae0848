import { expect, test } from '@playwright/test';

/** Compressed bytes of scripts that a share page may load before its buttons work. */
const MOST_BYTES = 130_000;
/** A static import of a built script: `import"./a.js"`, `import{b}from"./a.js"`. */
const IMPORT = /(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g;

test('the scripts that a share page needs before its buttons work are small', async ({ request }) => {
  // Every share has the same; the lists and dialogs load theirs later.
  const page = await (await request.get('/s/VOneThatNobodyHas')).text();
  const named = [...page.matchAll(/<link rel="modulepreload"[^>]* href="\/assets\/([\w.-]+\.js)"/g)];
  const wanted = named.map(([, file]) => file!);
  expect(wanted.some((file) => file.startsWith('entry.client-'))).toBe(true);

  const bytes = new Map<string, number>();
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (bytes.has(file)) continue;
    const reply = await request.get(`/assets/${file}`, { headers: { 'accept-encoding': 'br' } });
    bytes.set(file, Number(reply.headers()['content-length']));
    for (const [, imported] of (await reply.text()).matchAll(IMPORT)) wanted.push(imported!);
  }
  const sum = [...bytes.values()].reduce((all, some) => all + some, 0);
  expect(sum, JSON.stringify([...bytes])).toBeGreaterThan(100_000);
  expect(sum, JSON.stringify([...bytes])).toBeLessThanOrEqual(MOST_BYTES);
});
