import { AuthorizationRequest, type InputOf, type oauthApi } from '@bowerbird/contract';

/** Reads an app's authorization request from the page's address, with the names of repeated parameters. */
export function authorizationRequest({ searchParams }: URL): InputOf<typeof oauthApi.authorize>['body'] {
  const names = Object.keys(AuthorizationRequest.properties).filter((name) => searchParams.has(name));
  const request = Object.fromEntries(names.map((name) => [name, searchParams.get(name)!]));
  return { ...request, repeated: names.filter((name) => searchParams.getAll(name).length > 1) };
}
