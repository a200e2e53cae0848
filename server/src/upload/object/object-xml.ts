import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SaxesParser } from 'saxes';

/** Document of the object protocol: elements by name, in order; lists repeat an element. */
export type XmlTree = readonly (readonly [name: string, content: string | number | boolean | XmlTree])[];

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export function xmlDocument(
  root: string,
  tree: XmlTree,
  { namespace = true }: { namespace?: boolean } = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace ? ` xmlns="${NAMESPACE}"` : ''}>${inner(tree)}</${root}>`;
}

function inner(tree: XmlTree): string {
  return tree
    .map(
      ([name, content]) =>
        `<${name}>${typeof content === 'object' ? inner(content) : escape(String(content))}</${name}>`,
    )
    .join('');
}

function escape(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(
        /[&<>"]/g,
        (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!,
      )
  );
}

/** Part as listed by a client to complete an upload. */
export interface NamedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
}

const MOST_ELEMENTS = 100_000;

/** Characters parsed between two turns of the event loop: ten thousand parts would block it for too long. */
const SLICE = 32_768;

/** Parses the parts of a CompleteMultipartUpload document, in its order; undefined if it is not one. */
export async function parseCompletion(text: string): Promise<NamedPart[] | undefined> {
  const parser = new SaxesParser();
  const parts: NamedPart[] = [];
  const path: string[] = [];
  let elements = 0;
  let number = '';
  let etag = '';
  let broken = false;
  parser.on('error', () => (broken = true));
  parser.on('doctype', () => (broken = true));
  parser.on('opentag', ({ name }) => {
    elements += 1;
    path.push(localName(name));
    if (path.length === 2) [number, etag] = ['', ''];
    if (path.length === 1 && path[0] !== 'CompleteMultipartUpload') broken = true;
  });
  parser.on('text', (piece) => {
    if (path[1] !== 'Part' || path.length !== 3) return;
    if (path[2] === 'PartNumber') number += piece;
    else if (path[2] === 'ETag') etag += piece;
  });
  parser.on('closetag', () => {
    if (path.length === 2 && path[1] === 'Part') {
      if (!/^\s*\d{1,6}\s*$/.test(number)) broken = true;
      parts.push({ number: Number(number), etag: bareTag(etag) });
    }
    path.pop();
  });
  for (let at = 0; at < text.length && !broken && elements < MOST_ELEMENTS; at += SLICE) {
    parser.write(text.slice(at, at + SLICE));
    if (text.length > SLICE) await yieldToEventLoop();
  }
  if (!broken) parser.close();
  return broken || elements >= MOST_ELEMENTS || elements === 0 ? undefined : parts;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function bareTag(etag: string): string {
  return etag.trim().replace(/^"(.*)"$/, '$1');
}
