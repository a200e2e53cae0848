import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cruiseHouse } from './cruise.ts';

const checkout = join(import.meta.dirname, '..', '..');
const folders = ['contract', 'storage', 'ingest', 'server', 'worker', 'web'];

test('imports follow the dependency rules', async () => {
  const { modules, violations } = await cruiseHouse(checkout, folders);
  expect(violations).toEqual([]);
  expect(modules, 'the cruiser saw too little to judge').toBeGreaterThan(150);
}, 120_000);

/**
 * A small source tree in which every file except these follows the rules. Each of these files is named after its
 * violation.
 */
const house: Record<string, string> = {
  'package.json':
    '{ "type": "module", "dependencies": { "kysely": "1", "react-router": "1", "typebox": "1" } }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
  'node_modules/kysely/package.json': '{ "name": "kysely", "version": "1.0.0", "exports": "./index.js" }',
  'node_modules/kysely/index.js': 'export const sql = 1;',
  'node_modules/react-router/package.json':
    '{ "name": "react-router", "version": "1.0.0", "exports": "./index.js" }',
  'node_modules/react-router/index.js': 'export const redirect = 1;',
  'node_modules/typebox/package.json': '{ "name": "typebox", "version": "1.0.0", "exports": "./index.js" }',
  'node_modules/typebox/index.js': 'export const Type = 1;',

  'contract/src/index.ts': "export * from './drive.ts';",
  'contract/src/drive.ts':
    "import { Type } from 'typebox'; export const Node = Type; export interface Name { text: string }",
  'storage/src/index.ts': 'export interface BlobStore { read(): void }',
  'storage/src/disk.ts': 'export const disk = 1;',
  'storage/src/engine.ts': "import { disk } from './disk.ts'; export const engine = disk;",
  'ingest/src/index.ts': "export * from './hash.ts';",
  'ingest/src/hash.ts': "import '../../storage/src/index.ts'; export const hash = 1;",
  'server/src/foundation/id.ts': 'export const newId = () => 1;',
  'server/src/foundation/database/open.ts': "import { sql } from 'kysely'; export const open = sql;",
  'server/src/task/index.ts': "export * from './task.ts';",
  'server/src/task/task.ts': 'export const phase = 1;',
  'server/src/drive/index.ts': "export * from './drive-routes.ts';",
  'server/src/drive/drive.ts':
    "import type { Name } from '../../../contract/src/index.ts'; export type DriveName = Name;",
  'server/src/drive/drive-store.ts':
    "import { sql } from 'kysely'; import '../../../storage/src/index.ts'; import type { DriveName } from './drive.ts'; export const find = (name: DriveName) => [name, sql];",
  'server/src/drive/drive-service.ts':
    "import { find } from './drive-store.ts'; import { phase } from '../task/index.ts'; export const list = () => [find, phase];",
  'server/src/drive/drive-routes.ts':
    "import { list } from './drive-service.ts'; import { view } from './drive-view.ts'; export const routes = [list, view];",
  'server/src/drive/drive-view.ts': 'export const view = 1;',
  'server/src/drive/trash/index.ts': "export * from './purge-service.ts';",
  'server/src/drive/trash/trash.ts': 'export const days = 30;',
  'server/src/drive/trash/purge-store.ts':
    "import { sql } from 'kysely'; import { days } from './trash.ts'; import { find } from '../drive-store.ts'; export const purge = [days, find, sql];",
  'server/src/drive/trash/purge-service.ts':
    "import { purge } from './purge-store.ts'; export const empty = purge;",
  'server/src/drive/event/index.ts':
    "import { empty } from '../trash/index.ts'; export const events = empty;",
  'server/src/share/index.ts': 'export const share = 1;',
  'server/src/app.ts':
    "import { routes } from './drive/index.ts'; import './share/index.ts'; import '../../storage/src/index.ts'; export const app = routes;",
  'server/migrations/0001-nodes.ts': "import { sql } from 'kysely'; export const up = sql;",
  'worker/src/index.ts': "import '../../storage/src/index.ts'; import '../../contract/src/index.ts';",
  'web/app/ui/dialog.tsx': "import { redirect } from 'react-router'; export const dialog = redirect;",
  'web/app/api/client.ts': 'export const call = 1;',
  'web/app/drive/list.tsx':
    "import { dialog } from '../ui/dialog.tsx'; import '../upload/index.ts'; import '../offline/index.ts'; import '../share/own/index.ts'; export const list = dialog;",
  'web/app/upload/index.ts': 'export const tray = 1;',
  'web/app/content/index.ts': 'export const article = 1;',
  'web/app/offline/index.ts': "export * from './offline-frame.ts';",
  'web/app/offline/offline-frame.ts': 'export const frame = 1;',
  'web/app/share/gate.tsx': 'export const gate = 1;',
  'web/app/share/own/index.ts': 'export const ownShares = 1;',
};

/** The violations: the file, the line added to it, and the rule that must detect it. */
const faults: readonly (readonly [file: string, line: string, rule: string])[] = [
  ['contract/src/drive.ts', "import '../../storage/src/index.ts';", 'contract-imports-no-package'],
  ['contract/src/quota.ts', "import 'node:fs';", 'contract-has-no-node'],
  ['contract/src/share.ts', "import 'kysely';", 'contract-is-pure'],
  ['storage/src/engine.ts', "import '../../contract/src/index.ts';", 'storage-knows-bytes-only'],
  ['web/app/drive/list.tsx', "import '../../../server/src/app.ts';", 'processes-do-not-meet'],
  ['worker/src/fetch.ts', "import '../../server/src/foundation/id.ts';", 'processes-do-not-meet'],
  ['worker/src/torrent.ts', "import '../../storage/src/engine.ts';", 'packages-by-front-door'],
  ['ingest/src/landing.ts', "import '../../storage/src/engine.ts';", 'packages-by-front-door'],
  ['ingest/src/digest.ts', "import '../../server/src/foundation/id.ts';", 'ingest-knows-no-process'],
  ['worker/src/lease.ts', "import 'kysely';", 'sql-stays-in-the-server'],
  ['server/src/share/share-service.ts', "import '../../../storage/src/index.ts';", 'bytes-have-one-door'],
  ['server/src/foundation/mail.ts', "import '../task/index.ts';", 'foundation-is-below-domains'],
  ['server/src/share/share-jobs.ts', "import '../app.ts';", 'nothing-imports-the-app'],
  ['server/src/share/share-mail.ts', "import '../command/user-command.ts';", 'nothing-imports-the-app'],
  ['server/src/share/share.ts', "import '../drive/drive.ts';", 'domains-by-front-door'],
  ['server/src/drive/drive-jobs.ts', "import '../share/index.ts';", 'order-drive'],
  ['server/src/task/task-service.ts', "import type {} from '../drive/index.ts';", 'order-task'],
  ['server/src/share/share-copy.ts', "import '../drive/trash/purge-service.ts';", 'domains-by-front-door'],
  ['server/src/drive/event/event-service.ts', "import '../trash/purge-service.ts';", 'folders-by-front-door'],
  ['server/src/drive/drive-copy.ts', "import './trash/trash.ts';", 'folders-by-front-door-from-above'],
  ['server/src/main.ts', "import './drive/drive-service.ts';", 'app-by-front-door'],
  ['server/src/command/user-command.ts', "import '../drive/trash/index.ts';", 'app-by-front-door'],
  ['server/src/foundation/page.ts', "import 'react-router';", 'server-does-not-render'],
  ['server/migrations/0002-shares.ts', "import '../src/share/index.ts';", 'migrations-are-history'],
  ['server/src/drive/trash-routes.ts', "import './drive-store.ts';", 'role-routes'],
  ['server/src/drive/trash-service.ts', "import './drive-view.ts';", 'role-service'],
  ['server/src/drive/trash-store.ts', "import './drive-service.ts';", 'role-store'],
  ['server/src/drive/trash-view.ts', "import './drive-store.ts';", 'role-view'],
  [
    'server/src/drive/star-view.ts',
    "import { list } from './drive-service.ts'; export const view = list;",
    'role-view-calls-nobody',
  ],
  ['server/src/drive/trash-jobs.ts', "import './drive-store.ts';", 'role-jobs'],
  ['server/src/drive/trash/purge-routes.ts', "import './purge-store.ts';", 'role-routes'],
  ['server/src/drive/trash/empty-routes.ts', "import '../drive-store.ts';", 'role-routes'],
  ['server/src/drive/event/event-jobs.ts', "import './event-store.ts';", 'role-jobs'],
  ['server/src/task/task.ts', "import '../foundation/database/open.ts';", 'rules-are-pure'],
  ['server/src/drive/trash/trash.ts', "import '../../foundation/database/open.ts';", 'rules-are-pure'],
  [
    'server/src/drive/drive-sweep.ts',
    "import { sql } from 'kysely'; export const sweep = sql;",
    'only-stores-know-sql',
  ],
  [
    'server/src/drive/trash/index.ts',
    "import '../../foundation/database/remove-rows.ts';",
    'only-stores-remove-rows',
  ],
  ['web/app/share/gate.tsx', "import '../drive/list.tsx';", 'web-pages-do-not-meet'],
  ['web/app/apps/tv.tsx', "import '../drive/list.tsx';", 'web-pages-do-not-meet'],
  ['web/app/content/blog.tsx', "import '../share/gate.tsx';", 'web-pages-do-not-meet'],
  ['web/app/account/sign-in.tsx', "import '../upload/index.ts';", 'web-tray-is-the-drives'],
  ['web/app/drive/new-menu.tsx', "import '../offline/offline-frame.ts';", 'web-pages-do-not-meet'],
  ['web/app/share/saving.tsx', "import '../offline/index.ts';", 'web-transfers-are-the-drives'],
  ['web/app/share/qr.tsx', "import './own/index.ts';", 'web-own-shares-are-the-drives'],
  ['web/app/ui/toast.tsx', "import '../drive/list.tsx';", 'web-base-has-no-domain'],
  ['web/app/ui/card.tsx', "import '../content/index.ts';", 'web-base-has-no-domain'],
  ['web/app/page/user-menu.tsx', "import '../content/index.ts';", 'web-base-has-no-domain'],
  ['web/app/ui/select.tsx', "import '../api/client.ts';", 'web-ui-is-controls'],
  ['server/src/share/share-visits.ts', "import './nowhere.ts';", 'no-unresolved'],
  ['server/src/foundation/clock.ts', "import './utils/pad.ts';", 'no-grab-bags'],
  [
    'server/src/drive/node-tree.ts',
    "import type { Walk } from './node-walk.ts'; export type Tree = Walk[];",
    'no-cycles',
  ],
];
const supports: Record<string, string> = {
  'server/testing/databases.ts': 'export const databases = 1;',
  'server/src/drive/event/event-store.ts': 'export const newest = 1;',
  'server/src/foundation/database/remove-rows.ts': 'export const removeRows = 1;',
  'server/src/foundation/utils/pad.ts': 'export const pad = 1;',
  'server/src/drive/node-walk.ts': "import type { Tree } from './node-tree.ts'; export type Walk = Tree[];",
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-house-'));
  await build(house);
});
afterAll(() => rm(folder, { recursive: true }));

async function build(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

test('a clean tree has no violations', async () => {
  const { modules, violations } = await cruiseHouse(folder, folders);
  expect(violations).toEqual([]);
  expect(modules).toBeGreaterThan(20);
}, 180_000);

test('each planted violation is found by its rule', async () => {
  const planted = { ...supports };
  for (const [file, line] of faults)
    planted[file] = `${line}\n${planted[file] ?? house[file] ?? 'export {};'}`;
  await build(planted);
  const { violations } = await cruiseHouse(folder, folders);
  const missed = faults.filter(
    ([file, , rule]) => !violations.some((line) => line.startsWith(`${rule}: ${file} →`)),
  );
  expect(missed, violations.join('\n')).toEqual([]);
}, 180_000);
