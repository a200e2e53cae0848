import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, type EndpointSpec } from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import { openApi } from './openapi.ts';
import { referencePage } from './reference-page.ts';

/** What must work before the installation takes visitors, each by its name: rejects or says false where it does not. */
export type Readiness = Readonly<Record<string, () => Promise<boolean | void>>>;

const PATIENCE_MS = 5_000;
const NO_STORE = 'no-store';
const AN_HOUR = 'public, max-age=3600';

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
    version,
  }: { endpoints: readonly EndpointSpec[]; readiness: Readiness; version: string },
): void {
  const { html, policy } = referencePage(endpoints);

  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', NO_STORE).send({ status: 'alive' }),
  );

  app.get('/readyz', async (_request, reply) => {
    const names = Object.keys(readiness);
    const ready = await Promise.all(names.map((name) => answers(readiness[name]!)));
    const failed = names.filter((_, at) => !ready[at]);
    if (failed.length > 0) throw new ApiFailure('unavailable', { failed: failed.join(', ') });
    return reply.header('cache-control', NO_STORE).send({ status: 'ready' });
  });

  app.get('/openapi.json', async (request, reply) =>
    reply
      .header('cache-control', AN_HOUR)
      .send(openApi(endpoints, { origin: request.caller.origin, version })),
  );

  app.get('/api-docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', AN_HOUR)
      .send(html),
  );
}
