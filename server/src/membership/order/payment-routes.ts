import type { FastifyInstance } from 'fastify';
import type { Payments } from './payment-service.ts';

const PATH = '/vip/v1/stripe/webhook';
/** Limit of an event; real ones have a few kilobytes. */
const EVENT_BYTES = 256 * 1024;

/**
 * Endpoint to which Stripe sends its events. It repeats those that aren't answered with 200, for three days: so an event
 * that changes nothing gets a 200 too, and one that couldn't be processed an error.
 */
export function mountPaymentEvents(app: FastifyInstance, payments: Payments): void {
  void app.register(async (scope) => {
    // The signature is one of the bytes, not of the object in them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(PATH, { bodyLimit: EVENT_BYTES }, async ({ body, headers }, reply) => {
      const signature = headers['stripe-signature'];
      const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
      await payments.take(bytes, typeof signature === 'string' ? signature : '');
      return reply.header('cache-control', 'no-store').send({ received: true });
    });
  });
}
