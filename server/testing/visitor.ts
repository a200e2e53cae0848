import type { FastifyInstance } from 'fastify';
import { person, type Person } from './member.ts';

/** Returns a caller from another network address, signed in if the headers contain credentials. */
export function visitorAt(
  { http }: { http: FastifyInstance },
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Person {
  return person(
    { inject: (request: object) => http.inject({ ...request, remoteAddress: address }) } as FastifyInstance,
    headers,
  );
}
