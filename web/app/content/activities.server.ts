import {
  activityState,
  readActivities,
  siteApi,
  splitLocale,
  textIn,
  type Activity,
  type PageServices,
} from '@bowerbird/contract';

/** Returns the operator's activities, current and upcoming. */
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

/** Returns the activity that an address refers to. */
export async function activityAt(services: PageServices, pathname: string): Promise<Activity | undefined> {
  return activityNamed(services, splitLocale(pathname).path.split('/')[2]);
}

/** Current activity, for pages that link to it. */
export interface RunningActivity {
  /** Path of its page, without a locale. */
  readonly path: string;
  readonly title: string;
  /** ISO time. */
  readonly ends: string;
}

export async function runningActivities(services: PageServices): Promise<RunningActivity[]> {
  const all = await activities(services);
  return all
    .filter((activity) => activityState(activity, Date.now()) === 'running')
    .map(({ name, title, ends }) => ({
      path: `/activity/${name}`,
      title: textIn(title, services.locale),
      ends: new Date(ends).toISOString(),
    }));
}
