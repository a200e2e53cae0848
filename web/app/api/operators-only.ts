import type { MiddlewareFunction } from 'react-router';
import { pageNotFound } from './page-not-found.ts';
import { pageServices } from './page-services.ts';

/** What only an operator has: for everybody else there is no such page. */
export const operatorsOnly: MiddlewareFunction<Response> = ({ url, context }, next) => {
  if (context.get(pageServices).viewer?.operator) return next();
  throw pageNotFound(url.pathname);
};
