import { readdirSync } from 'node:fs';

// Which files may import which others. `npm run arch` fails if any rule is broken.

/** The server's domains, lowest first: each may import only those before it. */
const domains = [
  'site',
  'shield',
  'account',
  'contact',
  'oauth',
  'membership',
  'task',
  'disk',
  'drive',
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
/** Files with one of these roles, in a domain or in one of its folders. */
const role = (roles) => `^server/src/${domain}/(?:[^/]+/|)[^/]+-(?:${roles})[.]ts$`;

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const cycles = [
  forbid('no-cycles', 'type-only cycles count too', {}, { circular: true }),
  { ...forbid('no-folder-cycles', 'folders have an order as well', {}, { circular: true }), scope: 'folder' },
];

const packageWalls = [
  forbid(
    'contract-imports-no-package',
    'the contract is what all others stand on',
    { path: '^contract/src/' },
    { path: '^(?:storage|ingest|server|worker|web)/' },
  ),
  forbid(
    'contract-is-pure',
    'no input or output, no framework',
    { path: '^contract/src/' },
    { path: '(?:^|/)node_modules/(?!typebox/)|^node:', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'contract-has-no-node',
    'the browser runs it too',
    { path: '^contract/src/' },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'storage-knows-bytes-only',
    'an engine knows keys and bytes',
    { path: '^storage/src/' },
    { path: '^(?:contract|ingest|server|worker|web)/' },
  ),
  forbid(
    'ingest-knows-no-process',
    'the server and the worker both stand on it',
    { path: '^ingest/src/' },
    { path: '^(?:server|worker|web)/' },
  ),
  forbid(
    'processes-do-not-meet',
    'they talk over the contract',
    { path: '^(server|worker|web)/' },
    { path: '^(?:server|worker|web)/', pathNot: '^$1/' },
  ),
  forbid(
    'packages-by-front-door',
    'import the package, not its insides',
    { path: '^(ingest|server|worker|web)/' },
    {
      path: '^(?:contract|storage|ingest)/src/',
      pathNot: '^(?:contract|storage|ingest)/src/index[.]ts$|^$1/',
    },
  ),
  forbid(
    'bytes-have-one-door',
    'only disk, drive, upload, offline, archive, takeout, the wiring and the worker touch storage; failure.ts knows its errors',
    {
      path: '^(?:web|server)/',
      pathNot:
        '^server/(?:testing/|src/(?:disk|drive|upload|offline|archive|takeout)/|src/foundation/http/failure[.]ts$|src/(?:app|main)[.]ts$)',
    },
    { path: '^storage/' },
  ),
];

const domainOrder = domains
  .slice(0, -1)
  .map((name, at) =>
    forbid(
      `order-${name}`,
      `${name} stands before ${domains.slice(at + 1).join(', ')}: use a hook that app.ts fills`,
      { path: `^server/src/${name}/` },
      { path: `^server/src/${anyOf(domains.slice(at + 1))}/` },
    ),
  );

const serverWalls = [
  forbid(
    'foundation-is-below-domains',
    'foundation knows no domain',
    { path: '^server/src/foundation/' },
    { path: `^server/src/(?:${domain}/|[^/]+[.]ts$)` },
  ),
  forbid(
    'nothing-imports-the-app',
    'app.ts wires, main.ts listens; nobody asks them',
    { path: '^server/src/', pathNot: '^server/src/[^/]+[.]ts$' },
    { path: '^server/src/[^/]+[.]ts$' },
  ),
  forbid(
    'domains-by-front-door',
    'import ../share/index.ts, not its insides',
    { path: `^server/src/(${domain})/` },
    { path: `^server/src/${domain}/(?!index[.]ts$)`, pathNot: '^server/src/$1/' },
  ),
  forbid(
    'folders-by-front-door',
    "a domain's folders import one another by their index.ts",
    { path: `^server/src/(${domain})/([^/]+)/` },
    { path: '^server/src/$1/[^/]+/(?!index[.]ts$)', pathNot: '^server/src/$1/$2/' },
  ),
  forbid(
    'folders-by-front-door-from-above',
    "the files at a domain's top import its folders by their index.ts",
    { path: `^server/src/(${domain})/[^/]+[.]ts$` },
    { path: '^server/src/$1/[^/]+/(?!index[.]ts$)' },
  ),
  forbid(
    'app-by-front-door',
    'the wiring sees front doors only',
    { path: '^server/src/[^/]+[.]ts$' },
    { path: `^server/src/${domain}/(?!index[.]ts$)` },
  ),
  ...domainOrder,
  forbid(
    'server-does-not-render',
    'the web build is a black box with one handler',
    { path: '^server/' },
    { path: 'node_modules/(?:react|react-dom|react-router|@react-router)/' },
  ),
  forbid(
    'migrations-are-history',
    "blind to today's code",
    { path: '^server/migrations/' },
    { path: '^(?:contract|storage|server/src)/' },
  ),
];

/**
 * Within a domain, imports go routes → service → store → the domain's own rules; a view may import a service's types.
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
  'a view is given what it shows',
  { path: role('view') },
  { path: role('service'), dependencyTypesNot: ['type-only'] },
);

const roleWalls = [
  ...roles,
  viewsCallNobody,
  forbid(
    'rules-are-pure',
    'types, policies and state tables do nothing',
    { path: `^server/src/(?:${domain}/|)([^/]+)/\\1[.]ts$` },
    {
      path: `${role('routes|view|service|store|tables|jobs')}|^server/src/foundation/(?:database|http|jobs|config|mail)/`,
    },
  ),
  forbid(
    'only-stores-know-sql',
    'a query outside a store is a query nobody finds',
    { path: `^server/src/${domain}/`, pathNot: '(?:-store|-tables|/index)[.]ts$' },
    {
      path: '(?:^|/)node_modules/(?:kysely|pg|better-sqlite3)/|^node:sqlite$',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'only-stores-remove-rows',
    'a deletion outside a store is a query nobody finds',
    { path: `^server/src/${domain}/`, pathNot: '-store[.]ts$' },
    { path: '^server/src/foundation/database/remove-rows[.]ts$' },
  ),
  forbid(
    'sql-stays-in-the-server',
    'others ask over the contract',
    { path: '^(?:contract|storage|ingest|worker|web)/' },
    { path: '(?:^|/)node_modules/(?:kysely|pg|better-sqlite3)/' },
  ),
];

/** The web client's folders that all pages are built on. */
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
/** All other folders of web/app, read from the disk so that the rules apply to a new one from its first file. */
const pages = anyOf(
  readdirSync(new URL('web/app', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !webBase.has(entry.name))
    .map(({ name }) => name),
);

/** The link checker's result, for pages that check a link in place. */
const LINK_ANSWER = '^web/app/offline/links/link-answer[.]tsx$';
/** The only imports allowed between pages. */
const sharedByPages = [
  '^web/app/apps/platform-cards[.]tsx$',
  '^web/app/(?:upload|offline|subscription|pwa|share/own)/index[.]tsx?$',
  LINK_ANSWER,
  '^web/app/offline/links/parse-links[.]ts$',
  '^web/app/pwa/places[.]ts$',
  '^web/app/content/activities[.]server[.]ts$',
].join('|');

const webWalls = [
  forbid(
    'web-pages-do-not-meet',
    'code that two pages need belongs in a folder that all are built on',
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
    'only the drive shows what is fetched',
    { path: `^web/app/${pages}/`, pathNot: '^web/app/(?:drive|offline|subscription)/' },
    {
      path: '^web/app/(?:offline|subscription)/',
      pathNot: `${LINK_ANSWER}|^web/app/offline/links/parse-links[.]ts$`,
    },
  ),
  forbid(
    'web-own-shares-are-the-drives',
    'a visitor of a share needs no code for the shares of a member',
    { path: `^web/app/${pages}/`, pathNot: '^web/app/(?:drive|share/own)/' },
    { path: '^web/app/share/own/' },
  ),
  forbid(
    'web-base-has-no-domain',
    'the folders that pages are built on stand below them',
    { path: `^web/app/${anyOf([...webBase])}/` },
    { path: `^web/app/(?:${pages}/|routes[.]|root[.])` },
  ),
  forbid(
    'web-ui-is-controls',
    'a control is given what it shows, and asks no server',
    { path: '^web/app/ui/' },
    { path: '^web/app/(?:browser|api|statistics|embedding|page|node)/' },
  ),
];

const hygiene = [
  forbid(
    'testing-is-for-tests',
    'what tests stand on is no part of the product',
    { pathNot: '/testing/' },
    { path: '/testing/', pathNot: 'node_modules' },
  ),
  forbid(
    'no-unresolved',
    'what is imported exists',
    {},
    { couldNotResolve: true, pathNot: '^virtual:|[+]types/' },
  ),
  forbid(
    'no-undeclared',
    'a package declares what it imports',
    { pathNot: '/testing/' },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'no-grab-bags',
    'name the thing, not the drawer',
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
