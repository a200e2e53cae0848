import {
  activityState,
  readActivities,
  siteApi,
  splitLocale,
  textIn,
  type Activity,
  type PageServices,
} from '@bowerbird/contract';

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

/** What goes on now, as pages name it that lead there. */
export interface RunningActivity {
  /** Of its page, without a locale. */
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
