import { readActivities, siteApi, splitLocale, type Activity, type PageServices } from '@bowerbird/contract';

/** What the operator has going on, or will have. */
export async function activities({ call }: PageServices): Promise<Activity[]> {
  const { values } = await call(siteApi.activity_operation, { body: {} });
  return readActivities(values);
}

export async function activityNamed(
  services: PageServices,
  name: string | null | undefined,
): Promise<Activity | undefined> {
  return (await activities(services)).find((activity) => activity.name === name);
}

/** The activity of which an address speaks. */
export async function activityAt(services: PageServices, pathname: string): Promise<Activity | undefined> {
  return activityNamed(services, splitLocale(pathname).path.split('/')[2]);
}
