import type { PageRequest } from '@bowerbird/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Request for the page at an address. */
export function pageRequest(request: FastifyRequest, reply: FastifyReply, address: URL): PageRequest {
  return {
    method: request.method,
    url: address.href,
    headers: { get: (name) => request.headers[name]?.toString() ?? null },
    full: () => webRequest(request, reply, address),
  };
}

/** Request in the form that pages read; aborted when the visitor disconnects. */
function webRequest(request: FastifyRequest, reply: FastifyReply, address: URL): Request {
  const gone = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const entry of [value].flat())
      if (entry !== undefined && !name.startsWith(':')) headers.append(name, entry);
  }
  const init: RequestInit = { method: request.method, headers, signal: gone.signal };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    // The body has been parsed to fields already; pages post forms.
    headers.set('content-type', 'application/x-www-form-urlencoded');
    headers.delete('content-length');
    init.body = new URLSearchParams(
      Object.entries((request.body ?? {}) as Record<string, string>),
    ).toString();
  }
  return new Request(address, init);
}
