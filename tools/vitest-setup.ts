import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from './builds/ensure-built.mjs';
import { serverBuild, workerBuild } from './builds/server.mjs';
import { serviceVariables, startSharedServices } from './services.ts';
import type { ServiceName } from './services.ts';

/** Names in test files that start the bundled server. */
const SERVER_PROGRAM = /\b(serverProgram|realServer|serverGroup)\b/;

/**
 * Prepares what the selected test files need: bundles and services. A partial run starts only the services that they
 * may need: PostgreSQL takes three seconds, S3 takes twenty, and both keep running for the next run. For a whole run
 * (`npm test`), both have already been started.
 */
export default async function setup(project: TestProject): Promise<void> {
  // Vitest knows the filters of its command line, but doesn't expose them in its types.
  const { filenamePattern } = project.vitest as { filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  if (testFiles.some((file) => SERVER_PROGRAM.test(readFileSync(file, 'utf8'))))
    await ensureBuilt(serverBuild, process.execPath);
  await ensureBuilt(workerBuild, process.execPath);
  const wanted = new Set(
    testFiles.flatMap(servicesWantedBy).filter((name) => !process.env[serviceVariables[name]]),
  );
  Object.assign(process.env, await startSharedServices([...wanted]));
}

function servicesWantedBy(file: string): ServiceName[] {
  const names: ServiceName[] = [];
  const text = readFileSync(file, 'utf8');
  if (file.includes('/server/') || text.includes(serviceVariables.postgres)) names.push('postgres');
  if (file.includes('/storage/') || text.includes(serviceVariables.s3)) names.push('s3');
  return names;
}
