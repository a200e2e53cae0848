/**
 * Subscriptions: feeds that are followed and links that are fetched again and again.
 *
 * `<Subscriptions>` is the page; `useSubscriptions` what it shows, `loadSubscriptions` what it shows first;
 * `<SubscriptionForm>` adds one.
 */
export { SubscriptionForm } from './subscription-form.tsx';
export { Subscriptions } from './subscriptions.tsx';
export { loadSubscriptions } from './subscription-cache.ts';
export { useSubscriptions } from './use-subscriptions.ts';
