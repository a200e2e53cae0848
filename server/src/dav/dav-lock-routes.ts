import { done, XML } from './dav-answer.ts';
import { hrefOf } from './dav-path.ts';
import { malformed } from './dav-refusal.ts';
import { lockView } from './dav-view.ts';
import { depthOf, document, type Answer, type Visit } from './dav-visit.ts';
import { davChild, serialize, type XmlElement } from './dav-xml.ts';
import { lockSeconds, namesOf, readDepth, type Resource } from './dav.ts';
import { readLockToken } from './if-header.ts';

const LONGEST_OWNER = 8192;

/** Answers LOCK. */
export async function lock(visit: Visit): Answer {
  const { request, reply, path, changes, asking, clock } = visit;
  const seconds = lockSeconds(request.headers['timeout'] as string | undefined);
  const hrefTo = (resource: Resource): string => hrefOf(path.base, namesOf(resource), resource.isFolder);
  const root = await document(visit);
  if (!root) {
    if (asking.tokens.size === 0) throw malformed('Which lock is to hold on is not said.');
    const { lock: held, resource } = await changes.refreshLock(asking, seconds);
    return reply.type(XML).send(lockView(held, hrefTo(resource), clock.now()));
  }
  const depth = readDepth(depthOf(visit), 'infinity');
  if (depth === undefined || depth === '1') throw malformed('This depth makes no sense here.');
  const wish = { ...readLock(root), deep: depth === 'infinity', seconds };
  const { lock: taken, resource, isNew } = await changes.lock(asking, wish);
  return reply
    .status(isNew ? 201 : 200)
    .header('lock-token', `<${taken.token}>`)
    .type(XML)
    .send(lockView(taken, hrefTo(resource), clock.now()));
}

function readLock(root: XmlElement): { exclusive: boolean; owner: string } {
  const scope = root.name === 'lockinfo' ? davChild(root, 'lockscope') : undefined;
  const type = davChild(root, 'locktype');
  const isExclusive = scope && davChild(scope, 'exclusive') !== undefined;
  const isShared = scope && davChild(scope, 'shared') !== undefined;
  if (isExclusive === isShared || !type || !davChild(type, 'write'))
    throw malformed('The document is no lockinfo.');
  const owner = davChild(root, 'owner');
  const text = owner ? serialize(owner) : '';
  if (text.length > LONGEST_OWNER) throw malformed('The owner of a lock is described too long.');
  return { exclusive: isExclusive === true, owner: text };
}

/** Answers UNLOCK. */
export async function unlock({ request, reply, changes, asking }: Visit): Answer {
  const token = readLockToken(request.headers['lock-token'] as string | undefined);
  if (token === undefined) throw malformed('The lock is not named.');
  await changes.unlock(asking, token);
  return done(reply, false);
}
