import { mimeOf } from '@bowerbird/contract';
import type { NodeRow } from '../drive/index.ts';
import { httpDate } from '../foundation/index.ts';
import { childElements, DAV, davChild, escapeXml, type XmlElement } from './dav-xml.ts';
import { malformed } from './dav-refusal.ts';
import { etagOf, type DeadProperty, type LockRow, type Resource } from './dav.ts';

export const OWNCLOUD = 'http://owncloud.org/ns';
export const MICROSOFT = 'urn:schemas-microsoft-com:';

export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/** Properties that a PROPFIND requests: all usual ones (and some others), only the names, or some by name. */
export interface PropertyWish {
  readonly kind: 'all' | 'names' | 'some';
  readonly named: readonly PropertyName[];
}

/** Data from which the properties of one resource are computed. */
export interface PropertySource {
  readonly resource: Resource;
  /** Address of the lock's root, by lock. */
  readonly locks: readonly (LockRow & { readonly root: string })[];
  readonly dead: readonly DeadProperty[];
  readonly quota: { readonly available: number; readonly used: number } | undefined;
  readonly now: number;
}

interface LiveProperty extends PropertyName {
  /** True if the property is part of the response to a request for everything. */
  readonly usual: boolean;
  /** Content of the element as XML; undefined if the resource has no such property. */
  readonly content: (source: PropertySource) => string | undefined;
}

const ofNode =
  (content: (node: NodeRow) => string | undefined): LiveProperty['content'] =>
  ({ resource: { node } }) =>
    node && content(node);
const ofFile = (content: (node: NodeRow) => string | undefined): LiveProperty['content'] =>
  ofNode((node) => (node.blob === null ? undefined : content(node)));
const dav = (name: string, content: LiveProperty['content'], usual = true): LiveProperty => ({
  namespace: DAV,
  name,
  usual,
  content,
});

const LOCK_KINDS = ['exclusive', 'shared']
  .map(
    (scope) =>
      `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('');

export const LIVE: readonly LiveProperty[] = [
  dav('resourcetype', ({ resource }) => (resource.isFolder ? '<D:collection/>' : '')),
  dav(
    'displayname',
    ofNode(({ name }) => escapeXml(name)),
  ),
  dav(
    'creationdate',
    ofNode(({ created_at: at }) => `${new Date(at).toISOString().slice(0, 19)}Z`),
  ),
  dav(
    'getlastmodified',
    ofNode(({ modified_at: at }) => httpDate(at)),
  ),
  dav(
    'getcontentlength',
    ofFile(({ size }) => String(size)),
  ),
  dav(
    'getcontenttype',
    ofFile(({ name }) => mimeOf(name)),
  ),
  dav(
    'getetag',
    ofFile((node) => escapeXml(etagOf(node)!)),
  ),
  dav('supportedlock', () => LOCK_KINDS),
  dav('lockdiscovery', ({ locks, now }) => locks.map((lock) => activeLock(lock, lock.root, now)).join('')),
  dav('quota-available-bytes', ({ resource, quota }) => folderNumber(resource, quota?.available), false),
  dav('quota-used-bytes', ({ resource, quota }) => folderNumber(resource, quota?.used), false),
  {
    namespace: OWNCLOUD,
    name: 'checksums',
    usual: false,
    // All checksums in one element, as in ownCloud; unknown ones are omitted.
    content: ofNode(({ sha1, md5 }) =>
      sha1 === null || md5 === null ? undefined : `<o:checksum>SHA1:${sha1} MD5:${md5}</o:checksum>`,
    ),
  },
  { namespace: OWNCLOUD, name: 'fileid', usual: false, content: ({ resource }) => resource.id },
  {
    namespace: MICROSOFT,
    name: 'Win32LastModifiedTime',
    usual: false,
    content: ofNode(({ modified_at: at }) => httpDate(at)),
  },
];

const folderNumber = ({ isFolder }: Resource, value: number | undefined): string | undefined =>
  isFolder && value !== undefined ? String(value) : undefined;

export function activeLock(lock: LockRow, root: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((lock.expiresAt - now) / 1000));
  return (
    `<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:${lock.exclusive ? 'exclusive' : 'shared'}/></D:lockscope>` +
    `<D:depth>${lock.deep ? 'infinity' : '0'}</D:depth>${lock.owner}<D:timeout>Second-${seconds}</D:timeout>` +
    `<D:locktoken><D:href>${escapeXml(lock.token)}</D:href></D:locktoken><D:lockroot><D:href>${escapeXml(root)}</D:href></D:lockroot></D:activelock>`
  );
}

export const sameName = (a: PropertyName, b: PropertyName): boolean =>
  a.name === b.name && a.namespace === b.namespace;

/** Properties that set the date of the content and aren't stored themselves. */
export const TIMES: readonly PropertyName[] = [
  { namespace: DAV, name: 'lastmodified' },
  { namespace: MICROSOFT, name: 'Win32LastModifiedTime' },
];

/** Returns whether a property is read-only for clients. */
export function isProtected(name: PropertyName): boolean {
  return LIVE.some((live) => sameName(live, name)) && !TIMES.some((time) => sameName(time, name));
}

/** Parses the body of a PROPFIND; an empty one requests everything usual. */
export function readWish(root: XmlElement | undefined): PropertyWish {
  if (!root) return { kind: 'all', named: [] };
  if (root.namespace !== DAV || root.name !== 'propfind') throw malformed('The document is no propfind.');
  const prop = davChild(root, 'prop');
  if (prop) return { kind: 'some', named: namesIn(prop) };
  if (davChild(root, 'propname')) return { kind: 'names', named: [] };
  if (!davChild(root, 'allprop')) throw malformed('A propfind asks for nothing.');
  const include = davChild(root, 'include');
  return { kind: 'all', named: include ? namesIn(include) : [] };
}

function namesIn(element: XmlElement): PropertyName[] {
  return childElements(element).map(({ namespace, name }) => ({ namespace, name }));
}

/** Change of a PROPPATCH. */
export interface PropertyChange extends PropertyName {
  /** New value; undefined if the property is removed. */
  readonly element: XmlElement | undefined;
}

/** Parses the body of a PROPPATCH, in document order. */
export function readChanges(root: XmlElement | undefined): PropertyChange[] {
  if (root?.namespace !== DAV || root.name !== 'propertyupdate')
    throw malformed('The document is no propertyupdate.');
  return childElements(root).flatMap((step) => {
    if (step.namespace !== DAV || (step.name !== 'set' && step.name !== 'remove')) return [];
    const prop = davChild(step, 'prop');
    return (prop ? childElements(prop) : []).map((element) => ({
      namespace: element.namespace,
      name: element.name,
      element: step.name === 'set' ? element : undefined,
    }));
  });
}
