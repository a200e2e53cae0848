import { pageServices } from '#app/api/page-services.ts';
import type { Route } from './+types/traffic';
import { loadOffering, placeOrder } from './offering.ts';
import { PackPage } from './pack-page.tsx';

const PATH = '/drive/payment/traffic';

export function loader({ context, url }: Route.LoaderArgs) {
  return loadOffering(context.get(pageServices), url, 'traffic');
}

export function action(args: Route.ActionArgs) {
  return placeOrder(args);
}

/** Additional traffic and its prices. */
export default function TrafficPacks({ loaderData, actionData }: Route.ComponentProps) {
  return <PackPage kind="traffic" path={PATH} offering={loaderData} refusal={actionData} />;
}
