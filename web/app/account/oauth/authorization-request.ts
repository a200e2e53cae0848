import { AuthorizationRequest, type InputOf, type oauthApi } from '@bowerbird/contract';

/** What an app asks for, as the address of the page says it, and which of it came more than once. */
export function authorizationRequest({ searchParams }: URL): InputOf<typeof oauthApi.authorize>['body'] {
  const names = Object.keys(AuthorizationRequest.properties).filter((name) => searchParams.has(name));
  const request = Object.fromEntries(names.map((name) => [name, searchParams.get(name)!]));
  return { ...request, repeated: names.filter((name) => searchParams.getAll(name).length > 1) };
}
