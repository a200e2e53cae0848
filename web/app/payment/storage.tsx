import { pageServices } from '#app/api/page-services.ts';
import type { Route } from './+types/storage';
import { loadOffering, placeOrder } from './offering.ts';
import { PackPage } from './pack-page.tsx';

const PATH = '/drive/payment/storage';

export function loader({ context, url }: Route.LoaderArgs) {
  return loadOffering(context.get(pageServices), url, 'storage');
}

export function action(args: Route.ActionArgs) {
  return placeOrder(args);
}

/** Additional storage and its prices. */
export default function StoragePacks({ loaderData, actionData }: Route.ComponentProps) {
  return <PackPage kind="storage" path={PATH} offering={loaderData} refusal={actionData} />;
}
