import { METHODS as METHODS_OF_HTTP } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { NodeRow } from '../drive/index.ts';
import { requestBytes } from '../upload/index.ts';
import { accountOf } from './dav-access.ts';
import { done, pipeTo, refuse, sayAbilities } from './dav-answer.ts';
import { bodyOf, statedTime } from './dav-body.ts';
import { lock, unlock } from './dav-lock-routes.ts';
import { hrefOf, isDavHost, readPath, readReference } from './dav-path.ts';
import { changeProperties, readProperties } from './dav-property-routes.ts';
import { DavRefusal, forbidden, malformed } from './dav-refusal.ts';
import { listingBegin, LISTING_END, listingEntry } from './dav-view.ts';
import { depthOf, found, type Answer, type Services, type Visit } from './dav-visit.ts';
import { readText } from './dav-xml.ts';
import {
  DAV_CLASSES,
  DAV_METHODS,
  DAV_PATH,
  etagOf,
  namesOf,
  readDepth,
  type DavRequest,
  type DavMethod,
  type Resource,
} from './dav.ts';
import { readIf, submittedTokens } from './if-header.ts';

/** All other HTTP methods, from POST to REPORT and SEARCH: rejected with a WebDAV error instead of a page. */
const OTHER_METHODS = METHODS_OF_HTTP.filter(
  (method) => method !== 'CONNECT' && !(DAV_METHODS as readonly string[]).includes(method),
);

export function mountDav(app: FastifyInstance, services: Services): void {
  for (const method of [...DAV_METHODS, ...OTHER_METHODS])
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  void app.register(async (scope) => {
    // Bodies are passed on as raw bytes, whatever their content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, request, reply) => refuse(error, request, reply, services.log));
    scope.addHook('onRequest', async (request, reply) => {
      delete request.raw.headers['content-type'];
      reply.header('cache-control', 'no-store');
      reply.header('dav', DAV_CLASSES);
      reply.header('ms-author-via', 'DAV');
    });
    // Windows sends OPTIONS to the root first, and gives up unless the response announces WebDAV.
    scope.route({ method: 'OPTIONS', url: '/', handler: (_request, reply) => sayAbilities(reply) });
    for (const url of [DAV_PATH, `${DAV_PATH}/*`]) {
      scope.route({
        method: [...DAV_METHODS],
        url,
        exposeHeadRoute: false,
        handler: (request, reply) => answer(request, reply, services),
      });
      scope.route({
        method: OTHER_METHODS,
        url,
        handler: (_request, reply) => {
          void reply.header('allow', DAV_METHODS.join(', '));
          throw new DavRefusal(405, 'The drive does not support this method. Files are written with PUT.');
        },
      });
    }
  });
}

/** Rewrites requests to WebDAV's own host to the path under which one origin serves it. */
export function rewriteDavHost(host: string, url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '');
  return isDavHost(host) && !path.startsWith('/webdav/')
    ? `${DAV_PATH}${path.startsWith('/') ? path : `/${path}`}`
    : url;
}

async function answer(request: FastifyRequest, reply: FastifyReply, services: Services): Answer {
  const method = request.method as DavMethod;
  if (method === 'OPTIONS') return sayAbilities(reply);
  const account = await accountOf(request, services);
  if (account === undefined) throw new DavRefusal(401, 'Please sign in, with an app password for example.');
  const { headers } = request;
  const word = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const path = readPath(request.originalUrl, headers.host ?? '');
  const lists = readIf(word('if'));
  const asking: DavRequest = {
    account,
    names: path.names,
    lists,
    tokens: submittedTokens(lists),
    hosts: hostsOf(request),
    ifMatch: word('if-match'),
    ifNoneMatch: word('if-none-match'),
    ifUnmodifiedSince: word('if-unmodified-since'),
  };
  return METHODS[method]({ ...services, request, reply, asking, path });
}

function hostsOf({ headers, host, caller }: FastifyRequest): string[] {
  return [...new Set([headers.host ?? '', host, caller.origin.replace(/^https?:\/\//, '')])];
}

const METHODS: Readonly<Record<Exclude<DavMethod, 'OPTIONS'>, (visit: Visit) => Answer>> = {
  GET: get,
  HEAD: get,
  PUT: put,
  DELETE: remove,
  MKCOL: makeFolder,
  COPY: transfer,
  MOVE: transfer,
  PROPFIND: readProperties,
  PROPPATCH: changeProperties,
  LOCK: lock,
  UNLOCK: unlock,
};

async function get(visit: Visit): Answer {
  const { request, reply, send } = visit;
  const resource = await found(visit);
  if (!resource.isFolder) {
    if (resource.node!.quarantined_at !== null) throw forbidden('This file was taken down.');
    sayChecksum(reply, resource.node!);
    return send(request, reply, resource.node!, etagOf(resource.node)!);
  }
  reply.header('content-security-policy', "default-src 'none'; sandbox");
  reply.type('text/html; charset=utf-8');
  if (request.method === 'HEAD') return reply.send();
  // Relative links need the slash; no redirect, because clients do not resend passwords.
  const base = hrefOf(visit.path.base, namesOf(resource), true);
  return pipeTo(reply, 200, listing(visit, resource, base));
}

async function* listing({ properties, path }: Visit, resource: Resource, base: string) {
  yield listingBegin(base, namesOf(resource));
  let isFirst = true;
  const wish = { kind: 'some', named: [] } as const;
  for await (const page of properties.read(resource, { children: true, wish, base: path.base })) {
    if (!isFirst) yield page.map((source) => listingEntry(source.resource)).join('');
    isFirst = false;
  }
  yield LISTING_END;
}

async function put({ changes, asking, request, reply }: Visit): Answer {
  const { node, isNew } = await changes.put(asking, () => bodyOf(request));
  reply.header('etag', etagOf(node)).header('oc-etag', etagOf(node)).header('oc-fileid', node.id);
  sayChecksum(reply, node);
  if (statedTime(request) !== undefined) reply.header('x-oc-mtime', 'accepted');
  return done(reply, isNew);
}

/** Sends the checksum in the header that ownCloud and Nextcloud clients read. */
function sayChecksum(reply: FastifyReply, { sha1 }: NodeRow): void {
  if (sha1 !== null) reply.header('oc-checksum', `SHA1:${sha1}`);
}

async function remove(visit: Visit): Answer {
  const depth = readDepth(depthOf(visit), 'infinity');
  const isFolder = (await found(visit)).isFolder;
  if (isFolder && depth !== 'infinity') throw malformed('A folder goes with everything in it.');
  await visit.changes.remove(visit.asking);
  return done(visit.reply, false);
}

async function makeFolder({ changes, asking, request, reply }: Visit): Answer {
  if ((await readText(requestBytes(request.raw))) !== '')
    throw new DavRefusal(415, 'A request to create a folder has no body.');
  await changes.makeFolder(asking);
  return done(reply, true);
}

async function transfer(visit: Visit): Answer {
  const { request, reply, asking, copyMoves } = visit;
  const { destination, overwrite } = request.headers;
  if (typeof destination !== 'string') throw malformed('A destination is missing.');
  const { names: to } = readReference(destination, asking.hosts);
  const depth = readDepth(depthOf(visit), 'infinity');
  const isMove = request.method === 'MOVE';
  if (depth === undefined || depth === '1' || (isMove && depth === '0' && (await found(visit)).isFolder))
    throw malformed('This depth makes no sense here.');
  const wish = {
    to,
    overwrite: typeof overwrite !== 'string' || overwrite.trim().toUpperCase() !== 'F',
    shallow: depth === '0',
  };
  const isNew = await (isMove ? copyMoves.move(asking, wish) : copyMoves.copy(asking, wish));
  return done(reply, isNew);
}
