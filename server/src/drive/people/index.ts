export { createGrants, type Grants } from './grant-service.ts';
export { INVITATIONS } from './people-limits.ts';
export { mountPeople } from './people-routes.ts';
