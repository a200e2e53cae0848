import { decodeEntities } from './plain-text.ts';

const LOOKED_AT = 200_000;

/** Returns the feed that a web page links to, if any: people often enter the address of the page. */
export function feedNamedBy(page: string, address: string): string | undefined {
  for (const [tag] of page.slice(0, LOOKED_AT).matchAll(/<link\b[^<>]{1,2000}>/gi)) {
    if (!/^alternate$/i.test(attributeOf(tag, 'rel') ?? '')) continue;
    if (!/^application\/(?:rss|atom|rdf)\+xml/i.test(attributeOf(tag, 'type') ?? '')) continue;
    const url = URL.parse(decodeEntities(attributeOf(tag, 'href') ?? ''), address);
    if (url && /^https?:$/.test(url.protocol)) return url.href;
  }
  return undefined;
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? [];
  return double ?? single ?? bare;
}
