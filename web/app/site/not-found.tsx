import { pageNotFound } from '#app/api/page-not-found.ts';
import type { Route } from './+types/not-found';

export function loader({ url }: Route.LoaderArgs): never {
  throw pageNotFound(url.pathname);
}

export default function NotFound() {
  return null;
}
