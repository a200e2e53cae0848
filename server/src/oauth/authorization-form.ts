import { AuthorizationRequest } from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';

const PAGE = '/drive/auth-center';

/**
 * Accepts an authorization request that an app sends as a form (OpenID Connect Core, 3.1.2.1), and redirects
 * to the page with the same request in its address. The page's own form contains the member's decision and is
 * passed to the page.
 */
export function mountAuthorizationForm(app: FastifyInstance): void {
  app.post(PAGE, (request, reply) => {
    const fields = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    if (fields['decision'] !== undefined) return reply.callNotFound();
    const query = new URLSearchParams();
    for (const name of Object.keys(AuthorizationRequest.properties))
      for (const value of [fields[name]].flat()) if (typeof value === 'string') query.append(name, value);
    return reply.redirect(`${PAGE}?${query.toString()}`, 303);
  });
}
