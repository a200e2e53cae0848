import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import type * as React from 'react';
import type { renderToPipeableStream } from 'react-dom/server';
import { expect, test } from 'vitest';
import { writingText } from '../../react-as-text.ts';

const require = createRequire(import.meta.url);
/** Code of the version for production, which only a build contains. */
const codeOf = (name: 'react' | 'react-dom', file: string): string =>
  readFileSync(
    join(dirname(require.resolve(`${name}/package.json`)), 'cjs', `${file}.production.js`),
    'utf8',
  );

/** Runs the code of a CommonJS module, and returns its exports. */
function run(code: string, packages: Readonly<Record<string, unknown>> = {}): unknown {
  const exports = {};
  // eslint-disable-next-line typescript/no-implied-eval
  const module = new Function('exports', 'require', code) as (
    exports: object,
    require: (id: string) => unknown,
  ) => void;
  module(exports, (id) => packages[id] ?? require(id));
  return exports;
}

const react = run(codeOf('react', 'react')) as typeof React;
const packages = { react, 'react-dom': run(codeOf('react-dom', 'react-dom'), { react }) };
const RENDERER = codeOf('react-dom', 'react-dom-server.node');
const { createElement: h, lazy, Suspense, useId } = react;

const Late = lazy(async () => ({ default: () => h('b', null, 'arrived 🐦') }));

function Page() {
  return h(
    'html',
    { lang: 'ja' },
    h(
      'head',
      null,
      h('title', null, 'Фото & <写真>'),
      h('link', { rel: 'stylesheet', href: '/a.css', precedence: 'app' }),
    ),
    h(
      'body',
      null,
      h('p', { id: useId(), style: { width: 3 }, title: '"quoted" \u2028 text' }, 'a', 'й'.repeat(5000)),
      h(Suspense, { fallback: 'waiting' }, h(Late)),
      h('script', { nonce: 'n', dangerouslySetInnerHTML: { __html: '"<b>"' } }),
    ),
  );
}

/** Renders the page with a renderer of this code, and returns what was written. */
async function written(code: string, when: 'onAllReady' | 'onShellReady') {
  const { renderToPipeableStream: render } = run(code, packages) as {
    renderToPipeableStream: typeof renderToPipeableStream;
  };
  const pieces: (string | Uint8Array)[] = [];
  await new Promise<void>((resolve, reject) => {
    const sink = new Writable({
      decodeStrings: false,
      write(piece: string | Uint8Array, _encoding, done) {
        pieces.push(piece);
        done();
      },
    }).on('finish', resolve);
    const { pipe } = render(h(Page), { nonce: 'n', onError: reject, [when]: () => void pipe(sink) });
  });
  return { pieces, html: Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))).toString() };
}

test.each(['onAllReady', 'onShellReady'] as const)(
  'the server writes the same page as React does, as text, %s',
  async (when) => {
    const { html } = await written(RENDERER, when);
    const text = await written(writingText(RENDERER), when);
    expect(html).toContain('arrived 🐦');
    expect(text.html).toBe(html);
    expect(text.pieces.every((piece) => typeof piece === 'string')).toBe(true);
  },
);

test('a version of React with other code is not built', () => {
  const other = RENDERER.replace('function writeChunk(', 'function writePart(');
  expect(() => writingText(other)).toThrow('writeChunk');
});
