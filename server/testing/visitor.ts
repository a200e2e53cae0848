import type { FastifyInstance } from 'fastify';
import { person, type Person } from './member.ts';

/** Somebody who comes from a network address of their own, signed in where the headers say so. */
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
