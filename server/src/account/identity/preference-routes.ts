import { preferenceApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Preferences } from './preference-service.ts';

export function mountPreferences(api: Api, preferences: Preferences): void {
  api.handle(preferenceApi.read, ({ query, viewer }) => {
    const names = [query.items ?? []].flat().flatMap((list) => String(list).split(','));
    return preferences.read(viewer.account, names.some((name) => name !== '') ? names : undefined);
  });

  api.handle(preferenceApi.change, async ({ body, viewer }) => {
    await preferences.change(viewer.account, body);
    return {};
  });
}
