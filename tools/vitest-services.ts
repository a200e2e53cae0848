import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { serviceVariables, startSharedServices } from './services.ts';
import type { ServiceName } from './services.ts';

/**
 * A partial run starts only the services that the selected test files may need: PostgreSQL takes three seconds, S3
 * takes twenty, and both keep running for the next run. For a whole run (`npm test`), both have already been started.
 */
export default async function setup(project: TestProject): Promise<void> {
  // Vitest knows the filters of its command line, but doesn't expose them in its types.
  const { filenamePattern } = project.vitest as { filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
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
