import { appApi, connectedAppApi } from './app.ts';
import { authorizationApi } from './authorization.ts';
import { discoveryApi } from './discovery.ts';
import { externalApi } from './external.ts';
import { handoverApi } from './handover.ts';

export { AskingApp, ConnectedApp } from './app.ts';
export { AuthorizationRequest, Consent, GRANT_TYPES, type GrantType } from './authorization.ts';
export { ExternalIdentity } from './external.ts';

export const oauthApi = {
  ...discoveryApi,
  ...appApi,
  ...authorizationApi,
  ...handoverApi,
  ...connectedAppApi,
  ...externalApi,
};
