import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { serviceVariables, startSharedServices } from './services.ts';
import type { ServiceName } from './services.ts';

/**
 * A narrow run starts only the services that the chosen test files can want: PostgreSQL takes three seconds, S3 takes
 * twenty, and both stay up for the next run. The whole run (`npm test`) has started both already.
 */
export default async function setup(project: TestProject): Promise<void> {
  // Vitest knows the filters of its command line, but its types keep them to itself.
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
