import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, type EndpointSpec } from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import { timeText, type Clock } from '../foundation/index.ts';
import { openApi } from './openapi.ts';
import { referencePage } from './reference-page.ts';

/**
 * Checks that must succeed before the installation accepts visitors, by name: they reject or return false
 * otherwise.
 */
export type Readiness = Readonly<Record<string, () => Promise<boolean | void>>>;

/** Warnings that do not make the installation unready: a few fixed words for monitors. */
export type Warnings = () => Promise<readonly string[]>;

const PATIENCE_MS = 5_000;
const NO_STORE = 'no-store';
const AN_HOUR = 'public, max-age=3600';
/** Validity of security.txt (RFC 9116 recommends less than a year). */
const TOLD_FOR_MS = 180 * 24 * 3600 * 1000;

async function answers(check: () => Promise<boolean | void>): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, false, { signal: patience.signal, ref: false }).catch(() => false);
  const done = check().then(
    (well) => well !== false,
    () => false,
  );
  const answered = await Promise.race([done, late]);
  patience.abort();
  return answered;
}

export function mountSite(
  app: FastifyInstance,
  {
    endpoints,
    readiness,
    warnings,
    version,
    clock,
    contact,
  }: {
    endpoints: readonly EndpointSpec[];
    readiness: Readiness;
    warnings: Warnings;
    version: string;
    clock: Clock;
    /** Contact address for questions and for reports of vulnerabilities. */
    contact: string | undefined;
  },
): void {
  let reference: ReturnType<typeof referencePage> | undefined;

  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', NO_STORE).send({ status: 'alive' }),
  );

  app.get('/readyz', async (_request, reply) => {
    const names = Object.keys(readiness);
    const ready = await Promise.all(names.map((name) => answers(readiness[name]!)));
    const failed = names.filter((_, at) => !ready[at]);
    if (failed.length > 0) throw new ApiFailure('unavailable', { failed: failed.join(', ') });
    const warned = await warnings().catch(() => []);
    return reply
      .header('cache-control', NO_STORE)
      .send({ status: 'ready', ...(warned.length > 0 && { warnings: warned }) });
  });

  app.get('/openapi.json', async (request, reply) =>
    reply
      .header('cache-control', AN_HOUR)
      .send(openApi(endpoints, { origin: request.caller.origin, version })),
  );

  app.get('/.well-known/security.txt', async (request, reply) => {
    if (contact === undefined) throw new ApiFailure('not_found');
    const lines = [
      `Contact: mailto:${contact}`,
      `Expires: ${timeText(clock.now() + TOLD_FOR_MS)}`,
      `Canonical: ${request.caller.origin}/.well-known/security.txt`,
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', AN_HOUR)
      .send(`${lines.join('\n')}\n`);
  });

  app.get('/api-docs', async (_request, reply) => {
    // Created at the first request: it is nearly a megabyte.
    reference ??= referencePage(endpoints);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', reference.policy)
      .header('cache-control', AN_HOUR)
      .send(reference.html);
  });
}
