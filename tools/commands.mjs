// The project's commands. They run under whichever Node is installed (18 or newer), prepare the checkout, and hand over
// to the Node that the project bundles.
import { join } from 'node:path';
import { bundledServer, ensureServerBuilt } from './builds/server.mjs';
import { ensureWebBuilt } from './builds/web.mjs';
import { installNodeLibraries } from './debian.mjs';
import { ensureInstalled } from './install.mjs';
import { projectNode } from './project-node.mjs';
import { handOver, projectEnvironment, root, run, say } from './process.mjs';
import { explainTrouble } from './trouble.mjs';

const inModules = (path) => join(root, 'node_modules', path);
const tool = (name) => join(root, 'tools', name);
const reactRouter = inModules('@react-router/dev/bin.cjs');
/**
 * New objects get little space, so that the server stays small: it uses 52 MB less at rest than with V8's default of
 * 16 MB, at the same number of requests. One helper thread collects garbage instead of four: in a small heap they get
 * in each other's way, which slows an upload by a tenth.
 */
const options = [process.env.NODE_OPTIONS, '--max-semi-space-size=4', '--v8-pool-size=1']
  .filter(Boolean)
  .join(' ');
/**
 * Node's four threads for disk operations would all wait while four uploads are flushed; three quarters of these eight
 * may (storage/src/write-limit.ts).
 */
const production = {
  NODE_ENV: 'production',
  UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '8',
  NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
  NODE_OPTIONS: options,
};
const watched = ['server/src', 'contract/src', 'storage/src', 'ingest/src'].map(
  (folder) => `--watch-path=${folder}`,
);

const operate = (command) => async (node, args) => {
  await ensureServerBuilt(node);
  handOver(node, [bundledServer, command, ...args], production);
};

async function ensureAllBuilt(node) {
  await ensureServerBuilt(node);
  await ensureWebBuilt(node);
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

const commands = {
  async serve(node, args) {
    await ensureWebBuilt(node);
    await operate('serve')(node, args);
  },
  worker: operate('worker'),
  migrate: operate('migrate'),
  check: operate('check'),
  collect: operate('collect'),
  user: operate('user'),
  share: operate('share'),
  seed: operate('seed'),
  statistics: operate('statistics'),
  contact: operate('contact'),

  dev(node, args) {
    const source = join(root, 'server', 'src', 'main.ts');
    handOver(node, [...watched, '--watch-preserve-output', source, 'serve', '--dev', ...args], {
      NODE_ENV: 'development',
    });
  },
  build: ensureAllBuilt,
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
    handOver(node, [tool('bench.ts'), ...args], production);
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
    handOver(node, [tool('screenshots.ts')], production);
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

/** Runs the command that the user typed. Failures are reported in one sentence, without a stack trace. */
export async function runCommand([name = 'serve', ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    say(`unknown command ${name}. Available commands: ${Object.keys(commands).join(', ')}`);
    process.exit(2);
  }
  try {
    await ensureInstalled();
    if (name === 'test') installNodeLibraries();
    await command(projectNode(), args);
  } catch (error) {
    say(explainTrouble(error));
    process.exit(1);
  }
}
