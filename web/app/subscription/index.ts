/**
 * Subscriptions: feeds that are followed and links that are downloaded repeatedly. `<Subscriptions>` is the page;
 * `useSubscriptions` its data, `loadSubscriptions` its initial data; `<SubscriptionForm>` adds one.
 */
export { SubscriptionForm } from './subscription-form.tsx';
export { Subscriptions } from './subscriptions.tsx';
export { loadSubscriptions } from './subscription-cache.ts';
export { useSubscriptions } from './use-subscriptions.ts';
