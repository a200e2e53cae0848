import { pipeTo, XML } from './dav-answer.ts';
import { readChanges, readWish } from './dav-property.ts';
import { DavRefusal, malformed } from './dav-refusal.ts';
import { changesView, MULTISTATUS_BEGIN, MULTISTATUS_END, propertiesView } from './dav-view.ts';
import { depthOf, document, found, type Answer, type Visit } from './dav-visit.ts';
import { readDepth } from './dav.ts';

/** Answers PROPFIND. */
export async function readProperties(visit: Visit): Answer {
  const { reply, path, properties } = visit;
  // A missing depth means infinity (RFC 4918), but programs that omit the header can only use one level.
  const depth = readDepth(depthOf(visit), '1');
  if (depth === undefined) throw malformed('This depth makes no sense here.');
  const wish = readWish(await document(visit));
  const resource = await found(visit);
  // Infinite depth is fine for files, which have no children.
  if (depth === 'infinity' && resource.isFolder)
    throw new DavRefusal(403, 'A folder is listed one level at a time.', 'propfind-finite-depth');
  const read = properties.read(resource, { children: depth === '1', wish, base: path.base });
  async function* text(): AsyncGenerator<string, void, undefined> {
    yield MULTISTATUS_BEGIN;
    for await (const page of read)
      yield page.map((source) => propertiesView(path.base, source, wish)).join('');
    yield MULTISTATUS_END;
  }
  return pipeTo(reply.type(XML), 207, text());
}

/** Answers PROPPATCH. */
export async function changeProperties(visit: Visit): Answer {
  const { reply, path, changes, asking } = visit;
  const wanted = readChanges(await document(visit));
  const { resource, results } = await changes.changeProperties(asking, wanted);
  return reply
    .status(207)
    .type(XML)
    .send(changesView(path.base, resource, results));
}
