import { readdirSync } from 'node:fs';

// Which files may import which others. `npm run arch` fails if any rule is broken.

/** The server's domains, lowest first: each may import only those before it. */
const domains = [
  'site',
  'shield',
  'account',
  'live',
  'push',
  'contact',
  'oauth',
  'membership',
  'task',
  'disk',
  'drive',
  'ledger',
  'upload',
  'share',
  'offline',
  'subscription',
  'archive',
  'dav',
  'takeout',
  'admin',
];
const anyOf = (names) => `(?:${names.join('|')})`;
const domain = anyOf(domains);
/** Files that assemble the process, and the commands that run it. */
const APP_FILE = '^server/src/(?:command/|)[^/]+[.]ts$';
/** Files with one of these roles, in a domain or in one of its folders. */
const role = (roles) => `^server/src/${domain}/(?:[^/]+/|)[^/]+-(?:${roles})[.]ts$`;

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const cycles = [
  forbid('no-cycles', 'imports must not form a cycle, not even through types', {}, { circular: true }),
  { ...forbid('no-folder-cycles', 'folders must not form a cycle', {}, { circular: true }), scope: 'folder' },
];

const packageWalls = [
  forbid(
    'contract-imports-no-package',
    'all other packages depend on the contract',
    { path: '^contract/src/' },
    { path: '^(?:storage|ingest|server|worker|web)/' },
  ),
  forbid(
    'contract-is-pure',
    'the contract has no input or output and uses no framework',
    { path: '^contract/src/' },
    { path: '(?:^|/)node_modules/(?!typebox/)|^node:', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'contract-has-no-node',
    'the contract also runs in the browser',
    { path: '^contract/src/' },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'storage-knows-bytes-only',
    'storage engines only handle keys and bytes',
    { path: '^storage/src/' },
    { path: '^(?:contract|ingest|server|worker|web)/' },
  ),
  forbid(
    'ingest-knows-no-process',
    'the server and the worker both depend on ingest',
    { path: '^ingest/src/' },
    { path: '^(?:server|worker|web)/' },
  ),
  forbid(
    'processes-do-not-meet',
    'server, worker and web only communicate through the contract',
    { path: '^(server|worker|web)/' },
    { path: '^(?:server|worker|web)/', pathNot: '^$1/' },
  ),
  forbid(
    'packages-by-front-door',
    'import the package, not its internal files',
    { path: '^(ingest|server|worker|web)/' },
    {
      path: '^(?:contract|storage|ingest)/src/',
      pathNot: '^(?:contract|storage|ingest)/src/index[.]ts$|^$1/',
    },
  ),
  forbid(
    'bytes-have-one-door',
    'only disk, drive, upload, offline, archive, takeout, app.ts, command-line.ts and the worker use storage; failure.ts uses its errors',
    {
      path: '^(?:web|server)/',
      pathNot:
        '^server/(?:testing/|src/(?:disk|drive|upload|offline|archive|takeout)/|src/foundation/http/failure[.]ts$|src/(?:app|domains|command/command-line)[.]ts$)',
    },
    { path: '^storage/' },
  ),
];

const domainOrder = domains
  .slice(0, -1)
  .map((name, at) =>
    forbid(
      `order-${name}`,
      `${name} must not import ${domains.slice(at + 1).join(', ')}: use a hook that domains.ts fills`,
      { path: `^server/src/${name}/` },
      { path: `^server/src/${anyOf(domains.slice(at + 1))}/` },
    ),
  );

const serverWalls = [
  forbid(
    'foundation-is-below-domains',
    'foundation must not import domains',
    { path: '^server/src/foundation/' },
    { path: `^server/src/(?:${domain}/|command/|[^/]+[.]ts$)` },
  ),
  forbid(
    'nothing-imports-the-app',
    'app.ts wires, the commands run it; no domain asks them',
    { path: '^server/src/', pathNot: APP_FILE },
    { path: APP_FILE },
  ),
  forbid(
    'domains-by-front-door',
    'import ../share/index.ts, not the internal files of the domain',
    { path: `^server/src/(${domain})/` },
    { path: `^server/src/${domain}/(?!index[.]ts$)`, pathNot: '^server/src/$1/' },
  ),
  forbid(
    'folders-by-front-door',
    "a domain's folders import one another only through their index.ts",
    { path: `^server/src/(${domain})/([^/]+)/` },
    { path: '^server/src/$1/[^/]+/(?!index[.]ts$)', pathNot: '^server/src/$1/$2/' },
  ),
  forbid(
    'folders-by-front-door-from-above',
    "files directly in a domain's folder import its subfolders only through their index.ts",
    { path: `^server/src/(${domain})/[^/]+[.]ts$` },
    { path: '^server/src/$1/[^/]+/(?!index[.]ts$)' },
  ),
  forbid(
    'app-by-front-door',
    'files directly in server/src, and commands, import domains only through their index.ts',
    { path: APP_FILE },
    { path: `^server/src/${domain}/(?!index[.]ts$)` },
  ),
  ...domainOrder,
  forbid(
    'server-does-not-render',
    'the server only calls the handler of the web build',
    { path: '^server/' },
    { path: 'node_modules/(?:react|react-dom|react-router|@react-router)/' },
  ),
  forbid(
    'migrations-are-history',
    'migrations must not import current code',
    { path: '^server/migrations/' },
    { path: '^(?:contract|storage|server/src)/' },
  ),
];

/**
 * Inside a domain, imports go routes → service → store → the domain's pure rules; a view may import types of a
 * service.
 */
const roles = [
  ['routes', 'store|tables'],
  ['service', 'routes|view|tables'],
  ['store', 'routes|view|service|jobs'],
  ['view', 'routes|store|tables|jobs'],
  ['jobs', 'routes|view|store|tables'],
  ['tables', 'routes|view|service|store|jobs'],
].map(([from, to]) =>
  forbid(`role-${from}`, 'routes → service → store → rules', { path: role(from) }, { path: role(to) }),
);
const viewsCallNobody = forbid(
  'role-view-calls-nobody',
  'a view gets its data as parameters; it may only import types of a service',
  { path: role('view') },
  { path: role('service'), dependencyTypesNot: ['type-only'] },
);

const roleWalls = [
  ...roles,
  viewsCallNobody,
  forbid(
    'rules-are-pure',
    'types, policies and state tables have no side effects',
    { path: `^server/src/(?:${domain}/|)([^/]+)/\\1[.]ts$` },
    {
      path: `${role('routes|view|service|store|tables|jobs')}|^server/src/foundation/(?:database|http|jobs|config|mail)/`,
    },
  ),
  forbid(
    'only-stores-know-sql',
    'queries belong in stores, where they can be found',
    { path: `^server/src/${domain}/`, pathNot: '(?:-store|-tables|/index)[.]ts$' },
    {
      path: '(?:^|/)node_modules/(?:kysely|pg|better-sqlite3)/|^node:sqlite$',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'only-stores-remove-rows',
    'deletions belong in stores, where they can be found',
    { path: `^server/src/${domain}/`, pathNot: '-store[.]ts$' },
    { path: '^server/src/foundation/database/remove-rows[.]ts$' },
  ),
  forbid(
    'sql-stays-in-the-server',
    'other packages get data through the contract',
    { path: '^(?:contract|storage|ingest|worker|web)/' },
    { path: '(?:^|/)node_modules/(?:kysely|pg|better-sqlite3)/' },
  ),
];

/** The folders of the web client that all pages may import. */
const webBase = new Set([
  'i18n',
  'browser',
  'api',
  'statistics',
  'embedding',
  'ui',
  'page',
  'node',
  'testing',
]);
/** All other folders of web/app, read from the disk so that the rules also apply to new folders. */
const pages = anyOf(
  readdirSync(new URL('web/app', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !webBase.has(entry.name))
    .map(({ name }) => name),
);

/** The link checker's result, for pages that check a link without leaving the page. */
const LINK_ANSWER = '^web/app/offline/links/link-answer[.]tsx$';
/** The only files that pages may import from one another. */
const sharedByPages = [
  '^web/app/apps/platform-cards[.]tsx$',
  '^web/app/drive/top-bar[.]tsx$',
  '^web/app/(?:upload|offline|subscription|membership|pwa|share/own)/index[.]tsx?$',
  LINK_ANSWER,
  '^web/app/offline/links/parse-links[.]ts$',
  '^web/app/pwa/places[.]ts$',
  '^web/app/content/activities[.]server[.]ts$',
].join('|');

const webWalls = [
  forbid(
    'web-pages-do-not-meet',
    'code that two pages need belongs in one of the shared folders',
    { path: `^web/app/(${pages})/` },
    { path: `^web/app/${pages}/`, pathNot: `^web/app/$1/|${sharedByPages}` },
  ),
  forbid(
    'web-tray-is-the-drives',
    'only the drive shows the upload tray',
    { path: `^web/app/${pages}/`, pathNot: '^web/app/(?:drive|upload)/' },
    { path: '^web/app/upload/' },
  ),
  forbid(
    'web-transfers-are-the-drives',
    'only the drive shows cloud downloads and subscriptions',
    { path: `^web/app/${pages}/`, pathNot: '^web/app/(?:drive|offline|subscription)/' },
    {
      path: '^web/app/(?:offline|subscription)/',
      pathNot: `${LINK_ANSWER}|^web/app/offline/links/parse-links[.]ts$`,
    },
  ),
  forbid(
    'web-own-shares-are-the-drives',
    'visitors of a share do not need the code that manages the shares of a member',
    { path: `^web/app/${pages}/`, pathNot: '^web/app/(?:drive|share/own)/' },
    { path: '^web/app/share/own/' },
  ),
  forbid(
    'web-base-has-no-domain',
    'shared folders must not import pages',
    { path: `^web/app/${anyOf([...webBase])}/` },
    { path: `^web/app/(?:${pages}/|routes[.]|root[.])` },
  ),
  forbid(
    'web-ui-is-controls',
    'controls get their data from the page and send no requests',
    { path: '^web/app/ui/' },
    { path: '^web/app/(?:browser|api|statistics|embedding|page|node)/' },
  ),
];

const hygiene = [
  forbid(
    'testing-is-for-tests',
    'code for tests is not part of the product',
    { pathNot: '/testing/' },
    { path: '/testing/', pathNot: 'node_modules' },
  ),
  forbid(
    'no-unresolved',
    'imports must exist',
    {},
    { couldNotResolve: true, pathNot: '^virtual:|[+]types/' },
  ),
  forbid(
    'no-undeclared',
    'packages must declare their dependencies',
    { pathNot: '/testing/' },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'no-grab-bags',
    'name files and folders after what they do; not utils, helpers or common',
    {},
    { path: '/(?:utils?|helpers?|misc|common|shared|lib)(?:/|[.]tsx?$)', pathNot: 'node_modules' },
  ),
];

export default {
  forbidden: [...cycles, ...packageWalls, ...serverWalls, ...roleWalls, ...webWalls, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.](?:test|suite)[.]tsx?$|[.]react-router/|/build/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
