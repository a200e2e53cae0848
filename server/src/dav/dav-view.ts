import { STATUS_CODES } from 'node:http';
import { hrefOf } from './dav-path.ts';
import {
  activeLock,
  LIVE,
  sameName,
  type PropertyName,
  type PropertySource,
  type PropertyWish,
} from './dav-property.ts';
import type { PropertyResult } from './dav-property-service.ts';
import type { DavRefusal } from './dav-refusal.ts';
import { DAV, escapeXml } from './dav-xml.ts';
import { namesOf, type LockRow, type Resource } from './dav.ts';

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const SPACES = 'xmlns:D="DAV:" xmlns:o="http://owncloud.org/ns" xmlns:m="urn:schemas-microsoft-com:"';
const PREFIXES: Readonly<Record<string, string>> = {
  [DAV]: 'D',
  'http://owncloud.org/ns': 'o',
  'urn:schemas-microsoft-com:': 'm',
};

export const MULTISTATUS_BEGIN = `${HEAD}<D:multistatus ${SPACES}>\n`;
export const MULTISTATUS_END = '</D:multistatus>\n';

const statusLine = (status: number): string =>
  `<D:status>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}</D:status>`;

function element({ namespace, name }: PropertyName, content: string): string {
  const prefix = PREFIXES[namespace];
  const tag = prefix === undefined ? (namespace === '' ? name : `x:${name}`) : `${prefix}:${name}`;
  const bound = prefix === undefined && namespace !== '' ? ` xmlns:x="${escapeXml(namespace)}"` : '';
  return content === '' ? `<${tag}${bound}/>` : `<${tag}${bound}>${content}</${tag}>`;
}

function propstat(status: number, properties: readonly string[], more = ''): string {
  return properties.length === 0
    ? ''
    : `<D:propstat><D:prop>${properties.join('')}</D:prop>${statusLine(status)}${more}</D:propstat>`;
}

const response = (base: string, resource: Resource, content: string): string =>
  `<D:response><D:href>${escapeXml(hrefOf(base, namesOf(resource), resource.isFolder))}</D:href>${content}</D:response>\n`;

/** Response of a PROPFIND for one resource. */
export function propertiesView(base: string, source: PropertySource, wish: PropertyWish): string {
  const found: string[] = [];
  const missing: string[] = [];
  const isNamed = (name: PropertyName): boolean => wish.named.some((named) => sameName(named, name));
  const tell = (name: PropertyName, xml: string): void =>
    void found.push(wish.kind === 'names' ? element(name, '') : xml);
  for (const live of LIVE) {
    if (!(wish.kind === 'some' ? isNamed(live) : live.usual || isNamed(live))) continue;
    const content = live.content(source);
    if (content !== undefined) tell(live, element(live, content));
  }
  for (const dead of source.dead) if (wish.kind !== 'some' || isNamed(dead)) tell(dead, dead.xml);
  for (const name of wish.named) {
    const isLive = LIVE.some((live) => sameName(live, name) && live.content(source) !== undefined);
    if (!isLive && !source.dead.some((dead) => sameName(dead, name))) missing.push(element(name, ''));
  }
  const content = propstat(200, found) + propstat(404, missing);
  return response(base, source.resource, content || propstat(200, ['']));
}

/** Results of a PROPPATCH. */
export function changesView(base: string, resource: Resource, results: readonly PropertyResult[]): string {
  const groups = Map.groupBy(results, ({ status, precondition }) => `${status} ${precondition ?? ''}`);
  const content = [...groups.values()].map((group) => {
    const [{ status, precondition } = { status: 200, precondition: undefined }] = group;
    const names = group.map((result) => element(result, ''));
    return propstat(status, names, precondition ? `<D:error><D:${precondition}/></D:error>` : '');
  });
  return (
    MULTISTATUS_BEGIN + response(base, resource, content.join('') || propstat(200, [''])) + MULTISTATUS_END
  );
}

export function lockView(lock: LockRow, root: string, now: number): string {
  return `${HEAD}<D:prop ${SPACES}><D:lockdiscovery>${activeLock(lock, root, now)}</D:lockdiscovery></D:prop>\n`;
}

const OURS = 'https://bowerbird.invalid/ns';

/** Body of an error: the violated precondition, and a sentence for people. */
export function refusalView(base: string, { precondition, names, message }: DavRefusal): string {
  const hrefs = names.map((path) => `<D:href>${escapeXml(hrefOf(base, path, false))}</D:href>`).join('');
  const broken = precondition === undefined ? '' : element({ namespace: DAV, name: precondition }, hrefs);
  return `${HEAD}<D:error xmlns:D="DAV:" xmlns:b="${OURS}">${broken}<b:message>${escapeXml(message)}</b:message></D:error>\n`;
}

/** Folder listing for a browser: its names only. */
export function listingBegin(base: string, names: readonly string[]): string {
  const title = escapeXml(`/${names.join('/')}`);
  const up = names.length > 0 ? '<li><a href="../">../</a></li>\n' : '';
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><base href="${escapeXml(base)}"><h1>${title}</h1><ul>\n${up}`;
}

export function listingEntry({ node, isFolder }: Resource): string {
  const name = node!.name;
  const slash = isFolder ? '/' : '';
  return `<li><a href="./${encodeURIComponent(name)}${slash}">${escapeXml(name)}${slash}</a></li>\n`;
}

export const LISTING_END = '</ul>\n';
