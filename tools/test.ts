import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTINGS } from '../server/src/foundation/config.ts';
import { ensureDebianPackages } from './debian.mjs';
import { watchForLeftovers } from './runs/left-running.ts';
import { OUTCOME_FILE } from './runs/outcome.ts';
import { startOwnServices } from './services.ts';
import type { Services } from './services.ts';

// `npm test` runs every check that a change has to pass, fastest first, and stops at the first stage that fails. With
// arguments, it only runs vitest: `npm test -- server/src/drive`.

const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const launcher = join(root, 'tools', 'run.mjs');
/** Processes that tests start reuse the compile cache of earlier ones, which halves their start time. */
const compiled = { NODE_COMPILE_CACHE: join(root, '.cache', 'compile') };

interface Tally {
  passed: number;
  failed: number;
}
interface Stage {
  readonly name: string;
  /** Runs the stage; its result is appended to the last line of output. */
  run(): Promise<Tally>;
}

/** A stage that hangs must fail while someone is still waiting for it. */
const longestStage = 40 * 60_000;
/**
 * Time for a runner to exit. Vitest itself waits without a limit if a process that a test left running still
 * has the output of its worker open.
 */
const longestEnd = 60_000;
const nothing: Tally = { passed: 0, failed: 0 };

let child: ChildProcess | undefined;
let reports = '';
let services: Promise<Services> | undefined;
let interrupted = false;

const stages: readonly Stage[] = [
  { name: 'Debian packages', run: debianPackages },
  { name: 'format', run: () => check([launcher, 'format', '--check']) },
  { name: 'types', run: () => check([launcher, 'typecheck']) },
  { name: 'lint', run: () => check([launcher, 'lint']) },
  { name: 'locales', run: () => check([launcher, 'locales']) },
  { name: 'texts', run: () => check([launcher, 'texts']) },
  { name: 'tools', run: () => runVitest('tools') },
  { name: 'services', run: () => awaitServices() },
  { name: 'node', run: () => runVitest('node') },
  { name: 'web', run: () => runVitest('web') },
  { name: 'web build', run: () => check([launcher, 'build']) },
  { name: 'journeys', run: runJourneys },
];

forgetTheDevelopersSettings();
await (process.argv.length > 2 ? runNarrow(process.argv.slice(2)) : runAll());

async function runNarrow(filters: string[]): Promise<void> {
  process.exitCode = await node([vitest, 'run', ...filters]);
}

async function runAll(): Promise<void> {
  const total: Tally = { passed: 0, failed: 0 };
  reports = await mkdtemp(join(tmpdir(), 'bowerbird-reports-'));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  for (const stage of stages) {
    const { passed, failed } = await runStage(stage);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0 || interrupted) break;
  }
  if (interrupted) total.failed = Math.max(total.failed, 1);
  await services?.then((running) => running.stop()).catch(() => {});
  await rm(reports, { recursive: true, force: true });
  if (total.failed > 0) process.exitCode = 1;
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
}

async function runStage(stage: Stage): Promise<Tally> {
  const started = performance.now();
  const tally = await stage.run().catch((error: unknown): Tally => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`[test] ${stage.name}: ${tally.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return tally;
}

async function debianPackages(): Promise<Tally> {
  ensureDebianPackages();
  // Starting them takes time, and the stages before they are needed leave a core idle.
  services = startOwnServices();
  services.catch(() => {});
  return nothing;
}

async function awaitServices(): Promise<Tally> {
  Object.assign(process.env, (await services)?.environment);
  return nothing;
}

async function check(args: string[]): Promise<Tally> {
  return (await node(args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runVitest(project: string): Promise<Tally> {
  const file = join(reports, `${project}.json`);
  const reporters = ['--reporter=default', `--reporter=${join(root, 'tools', 'runs', 'outcome.ts')}`];
  const leftovers = watchForLeftovers(root);
  const ended = node([vitest, 'run', '--project', project, ...reporters], { [OUTCOME_FILE]: file });
  const code = await Promise.race([ended, overdue(file)]);
  for (const process of leftovers()) console.error(`[test] a test has left a process running: ${process}`);
  if (code === undefined) {
    console.error('[test] the runner has written its outcome, but does not exit');
    child?.kill('SIGKILL');
  }
  const { passed = 0, failed = 0 } = await reportIn(file);
  return settle({ passed: Number(passed), failed: Number(failed) }, code ?? 0);
}

/** Resolves when a runner should have exited long ago, because its outcome has been written to a file. */
async function overdue(file: string): Promise<undefined> {
  while (!existsSync(file)) await sleep(1000, undefined, { ref: false });
  await sleep(longestEnd, undefined, { ref: false });
}

async function runJourneys(): Promise<Tally> {
  const file = join(reports, 'journeys.json');
  const code = await node([launcher, 'journeys', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const { stats } = await reportIn(file);
  const { expected = 0, unexpected = 0 } = (stats ?? {}) as Record<string, number>;
  return settle({ passed: expected, failed: unexpected }, code);
}

/** If the runner itself crashed, or found no tests, the stage has failed. */
function settle({ passed, failed }: Tally, code: number): Tally {
  const broken = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: broken ? 1 : failed };
}

async function reportIn(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, unknown>;
}

function node(args: string[], extra: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...compiled, ...extra };
    child = spawn(process.execPath, args, { stdio: 'inherit', cwd: root, env, timeout: longestStage });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Ends the current stage, and with it the run, in order: services are stopped, the last line is printed. */
function interrupt(): void {
  interrupted = true;
  child?.kill('SIGTERM');
}

/** The location of the developer's own drive must not affect tests, and no test may touch it. */
function forgetTheDevelopersSettings(): void {
  for (const name of [...Object.keys(SETTINGS), 'NODE_ENV', 'BUILD_DIR']) {
    // PATH is also a setting of the machine, but the tests need it to start.
    if (name !== 'PATH') delete process.env[name];
  }
}
