// The project's commands. They run under whichever Node is installed (18 or newer), prepare the checkout, and hand over
// to the Node that the project bundles.
import { join } from 'node:path';
import { ensureBuilt } from './builds/ensure-built.mjs';
import { bundledServer, serverBuild, workerBuild } from './builds/server.mjs';
import { webBuild } from './builds/web.mjs';
import { installNodeLibraries } from './debian.mjs';
import { ensureInstalled } from './packages/install.mjs';
import { prepare } from './prepare.mjs';
import { projectNode } from './project-node.mjs';
import { become, handOver, projectEnvironment, root, run, say } from './process.mjs';
import { explainTrouble } from './trouble.mjs';

const inModules = (path) => join(root, 'node_modules', path);
const tool = (name) => join(root, 'tools', name);
const reactRouter = inModules('@react-router/dev/bin.cjs');
/**
 * New objects get little space, so that the server stays small: it uses 52 MB less at rest than with V8's default of
 * 16 MB, at the same number of requests. One helper thread collects garbage instead of four: in a small heap they get
 * in each other's way, which slows an upload by a tenth.
 */
const flags = ['--max-semi-space-size=4', '--v8-pool-size=1'];
/**
 * Node's four threads for disk operations would all wait while four uploads are flushed; of these eight, six may
 * (storage/src/write-limit.ts).
 */
const production = {
  NODE_ENV: 'production',
  UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '8',
  NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
};
/** Environment of programs that run the server in their own process. */
const likeProduction = { ...production, NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', ...flags].join(' ') };
const watched = ['server/src', 'contract/src', 'storage/src', 'ingest/src'].map(
  (folder) => `--watch-path=${folder}`,
);

/** The server starts helper processes for some of its commands. */
const server = [serverBuild, workerBuild];

/** The product's own commands, and what has to be built for them. */
const product = {
  serve: [...server, webBuild],
  worker: server,
  migrate: server,
  check: server,
  collect: server,
  user: server,
  code: server,
  order: server,
  share: server,
  seed: server,
  statistics: server,
  contact: server,
};

async function operate(name, args) {
  await prepare(product[name]);
  become(projectNode(), [...flags, bundledServer, name, ...args], production);
}

async function ensureAllBuilt(node) {
  for (const build of product.serve) await ensureBuilt(build, node);
}

/**
 * The types of routes and messages are generated from routes.ts and the catalogue; the compiler and the linter need
 * them.
 */
async function writeTypes(node) {
  for (const args of [['message-types.ts'], [reactRouter, 'typegen']]) {
    const code = await run(node, args, { cwd: join(root, 'web'), env: projectEnvironment() });
    if (code !== 0) process.exit(code);
  }
}

/** Commands for developers, which may need all packages. */
const development = {
  dev(node, args) {
    const source = join(root, 'server', 'src', 'main.ts');
    handOver(node, [...watched, '--watch-preserve-output', source, 'serve', '--dev', ...args], {
      NODE_ENV: 'development',
    });
  },
  test: (node, args) => handOver(node, [tool('test.ts'), ...args]),
  services: (node, args) => handOver(node, [tool('services.ts'), ...args]),
  settings: (node) => handOver(node, [tool('settings.ts')]),
  diagrams: (node) => handOver(node, [tool('diagrams.ts')]),
  errors: (node) => handOver(node, [tool('errors.ts')]),
  async typecheck(node, args) {
    await writeTypes(node);
    handOver(node, [inModules('typescript/bin/tsc'), '-b', ...args]);
  },
  async lint(node, args) {
    await writeTypes(node);
    handOver(node, [inModules('oxlint/bin/oxlint'), '--deny-warnings', ...args]);
  },
  format: (node, args) => handOver(node, [inModules('oxfmt/bin/oxfmt'), ...args]),
  arch: (node) =>
    handOver(node, [inModules('vitest/vitest.mjs'), 'run', '--project', 'tools', 'tools/architecture']),
  locales: (node, args) => handOver(node, [tool('locales.ts'), ...args]),
  texts: (node) => handOver(node, [tool('texts.ts')]),
  async bench(node, args) {
    await ensureAllBuilt(node);
    handOver(node, [tool('bench.ts'), ...args], likeProduction);
  },
  async journeys(node, args) {
    await ensureAllBuilt(node);
    handOver(node, [inModules('@playwright/test/cli.js'), 'test', ...args]);
  },
  async crawl(node, args) {
    await ensureAllBuilt(node);
    const playwright = inModules('@playwright/test/cli.js');
    handOver(node, [playwright, 'test', 'tests/crawl.spec.ts', ...args], { CRAWL: 'whole' });
  },
  async screenshots(node) {
    await ensureAllBuilt(node);
    handOver(node, [tool('screenshots.ts')], likeProduction);
  },
  /** Seconds and seed, if they should differ from ten minutes and a new one. */
  fuzz: (node, [seconds = '600', seed = String(Date.now() % 2 ** 31)]) =>
    handOver(node, [inModules('vitest/vitest.mjs'), 'run', '--project', 'node', 'server/src/fuzz.test.ts'], {
      FUZZ_SECONDS: seconds,
      FUZZ_SEED: seed,
    }),
  /** Minutes, seed, and one of the two setups, if not both should be run. */
  campaign: (node, args) => handOver(node, [join(root, 'campaign', 'run.ts'), ...args]),
  interop: (node, args) => handOver(node, [join(root, 'interop', 'run.ts'), ...args]),
  setup: () => say('ready'),
};

/** The function that runs a command, if there is one with the name. */
function find(name, args) {
  if (Object.hasOwn(product, name)) return () => operate(name, args);
  if (name === 'build') return () => prepare(product.serve);
  if (!Object.hasOwn(development, name)) return undefined;
  return async () => {
    await ensureInstalled('develop');
    if (name === 'test') installNodeLibraries();
    await development[name](projectNode(), args);
  };
}

/** Runs the command that the user typed. Failures are reported in one sentence, without a stack trace. */
export async function runCommand([name = 'serve', ...args]) {
  const command = find(name, args);
  if (!command) {
    const names = ['build', ...Object.keys({ ...product, ...development })];
    say(`unknown command ${name}. Available commands: ${names.join(', ')}`);
    process.exit(2);
  }
  try {
    await command();
  } catch (error) {
    say(explainTrouble(error));
    process.exit(1);
  }
}
