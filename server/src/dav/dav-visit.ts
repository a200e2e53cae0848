import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Drive } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import { requestBytes } from '../upload/index.ts';
import type { Verify } from './dav-access.ts';
import type { Changes } from './dav-change-service.ts';
import type { DavPath } from './dav-path.ts';
import type { Properties } from './dav-property-service.ts';
import { notThere } from './dav-refusal.ts';
import type { Resources } from './dav-resource-service.ts';
import type { CopyMoves } from './dav-copy-move-service.ts';
import { parseXml, readText, type XmlElement } from './dav-xml.ts';
import type { DavRequest, Resource } from './dav.ts';

export interface Services {
  readonly database: Database;
  readonly resources: Resources;
  readonly changes: Changes;
  readonly copyMoves: CopyMoves;
  readonly properties: Properties;
  readonly send: Drive['send'];
  readonly verify: Verify;
  readonly isOpen: (account: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Authenticated request. */
export interface Visit extends Services {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly asking: DavRequest;
  readonly path: DavPath;
}

export type Answer = Promise<FastifyReply | undefined>;

/** Returns the resource that is asked for. */
export async function found({ resources, database, asking }: Visit): Promise<Resource> {
  const { resource } = await resources.find(database, asking.account, asking.names);
  if (!resource) throw notThere();
  return resource;
}

/** Reads the body as XML; undefined if it is empty. */
export async function document({ request }: Visit): Promise<XmlElement | undefined> {
  return parseXml(await readText(requestBytes(request.raw)));
}

export const depthOf = ({ request }: Visit): string | undefined =>
  request.headers['depth'] as string | undefined;
