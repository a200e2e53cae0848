export { createObjectAccess } from './object-access.ts';
export { requestBytes } from './object-body.ts';
export { makeForm } from './object-form.ts';
export { mountObjects } from './object-routes.ts';
