import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes';
import { DavRefusal, malformed } from './dav-refusal.ts';

export const DAV = 'DAV:';

export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly prefix: string;
  readonly attributes: readonly SaxesAttributeNS[];
  /** Prefixes declared on the element itself. */
  readonly bound: Readonly<Record<string, string>>;
  /** Effective `xml:lang`. */
  readonly language: string | undefined;
  readonly content: readonly (XmlElement | string)[];
}

export const MOST_XML_BYTES = 2 ** 20;
const DEEPEST = 64;
const MOST_ELEMENTS = 10_000;
/** Characters parsed between two turns of the event loop. */
const SLICE = 16_384;

type Growing = Omit<XmlElement, 'content'> & { readonly content: (XmlElement | string)[] };

/**
 * Root of a document; undefined for an empty text. Documents with a DTD, and those that are malformed, too
 * deep or too large, are rejected with 400.
 */
export async function parseXml(text: string): Promise<XmlElement | undefined> {
  if (text.trim() === '') return undefined;
  const parser = new SaxesParser({ xmlns: true });
  const above: Growing[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const broken = (): never => {
    throw malformed('The document is not well-formed, or more than is read here.');
  };
  parser.on('error', broken);
  parser.on('doctype', broken);
  parser.on('opentag', (tag) => {
    elements += 1;
    if (above.length >= DEEPEST || elements > MOST_ELEMENTS) broken();
    const element = elementOf(tag, above.at(-1)?.language);
    above.at(-1)?.content.push(element);
    root ??= element;
    above.push(element);
  });
  const say = (piece: string): void => void above.at(-1)?.content.push(piece);
  parser.on('text', say);
  parser.on('cdata', say);
  parser.on('closetag', () => void above.pop());
  for (let at = 0; at < text.length; at += SLICE) {
    parser.write(text.slice(at, at + SLICE));
    if (text.length > SLICE) await yieldToEventLoop();
  }
  parser.close();
  return root ?? broken();
}

function elementOf(tag: SaxesTagNS, inherited: string | undefined): Growing {
  return {
    namespace: tag.uri,
    name: tag.local,
    prefix: tag.prefix,
    attributes: Object.values(tag.attributes).filter(
      ({ name, prefix }) => prefix !== 'xmlns' && name !== 'xmlns',
    ),
    bound: { ...tag.ns },
    language: tag.attributes['xml:lang']?.value ?? inherited,
    content: [],
  };
}

/** Reads a small body as text. */
export async function readText(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > MOST_XML_BYTES) throw new DavRefusal(413, 'The document is too large.');
    // Copied, because the memory of a chunk is reused for the next one.
    chunks.push(Buffer.from(chunk));
  }
  const bytes = Buffer.concat(chunks);
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(utf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}

export function childElements(element: XmlElement): XmlElement[] {
  return element.content.filter((part) => typeof part !== 'string');
}

export function davChild(element: XmlElement, name: string): XmlElement | undefined {
  return childElements(element).find((child) => child.namespace === DAV && child.name === name);
}

export function textOf(element: XmlElement): string {
  return element.content.filter((part) => typeof part === 'string').join('');
}

/** Serializes an element so that it means the same in any document. */
export function serialize(element: XmlElement): string {
  const speaks =
    element.language !== undefined && !element.attributes.some(({ name }) => name === 'xml:lang');
  return written(
    element,
    { xml: XML_NAMESPACE },
    speaks ? ` xml:lang="${escapeXml(element.language!)}"` : '',
  );
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

function written(element: XmlElement, scope: Readonly<Record<string, string>>, extra = ''): string {
  const { prefix, name, namespace, attributes, content } = element;
  const bound: Record<string, string> = { ...element.bound };
  const bind = (used: string, uri: string): void => {
    if ((bound[used] ?? scope[used] ?? '') !== uri) bound[used] = uri;
  };
  bind(prefix, namespace);
  for (const attribute of attributes) if (attribute.prefix !== '') bind(attribute.prefix, attribute.uri);
  const inner = { ...scope, ...bound };
  const tag = prefix === '' ? name : `${prefix}:${name}`;
  const declared = Object.entries(bound).map(
    ([used, uri]) => ` xmlns${used === '' ? '' : `:${used}`}="${escapeXml(uri)}"`,
  );
  const given = attributes.map((attribute) => ` ${attribute.name}="${escapeXml(attribute.value)}"`);
  const opening = `<${tag}${declared.join('')}${given.join('')}${extra}`;
  if (content.length === 0) return `${opening}/>`;
  const body = content.map((part) => (typeof part === 'string' ? escapeXml(part) : written(part, inner)));
  return `${opening}>${body.join('')}</${tag}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
// eslint-disable-next-line no-control-regex
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Escapes text for content and for quoted attributes; characters that XML does not allow become a replacement
 * character.
 */
export function escapeXml(text: string): string {
  if (!/[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/.test(text)) return text;
  return text
    .toWellFormed()
    .replace(NO_XML, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character]!);
}
