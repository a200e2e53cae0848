import { siteApi } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import type { Statistics } from './statistics-service.ts';

export function mountStatistics(api: Api, statistics: Statistics): void {
  api.handle(siteApi.happened, async ({ body }) => {
    for (const { name, detail = '' } of body.happenings) statistics.happened(name, detail);
    return {};
  });
}
