import type { Clock } from '../../foundation/index.ts';
import type { Cursors, Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Links } from '../drive.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { Nodes } from '../node/index.ts';
import type { VersionStore } from '../version/index.ts';
import { createBreakdowns, type Breakdowns } from './breakdown-service.ts';
import { createSurveys } from './survey-service.ts';
import { mountUsage } from './usage-routes.ts';
import { createUsage } from './usage-service.ts';
import { createUsageStore } from './usage-store.ts';

export type { Breakdowns } from './breakdown-service.ts';
export type { Breakdown } from './usage.ts';

/** Usage of an account's storage: its parts, and lists of files and folders. */
export function createUsages(deps: {
  database: Database;
  cursors: Cursors;
  clock: Clock;
  nodes: Nodes;
  sizes: FolderSizeStore;
  versionStore: VersionStore;
  links: Links;
}): { readonly breakdown: Breakdowns; mount(api: Api): void } {
  const usageStore = createUsageStore();
  const surveys = createSurveys({ ...deps, usageStore });
  const usage = createUsage({ ...deps, usageStore, surveys });
  return {
    breakdown: createBreakdowns({ ...deps, usageStore, surveys }),
    mount: (api) => mountUsage(api, { ...deps, usage }),
  };
}
