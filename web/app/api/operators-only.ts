import type { MiddlewareFunction } from 'react-router';
import { pageNotFound } from './page-not-found.ts';
import { pageServices } from './page-services.ts';

/** Restricts routes to administrators; for everyone else the page doesn't exist. */
export const operatorsOnly: MiddlewareFunction<Response> = ({ url, context }, next) => {
  if (context.get(pageServices).viewer?.operator) return next();
  throw pageNotFound(url.pathname);
};
