export { readCampaigns } from './activity-document.ts';
export { mountActivities } from './activity-routes.ts';
export { createActivities, type Activities } from './activity-service.ts';
export type { Campaign } from './activity.ts';
