import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const patient = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

/**
 * Tests against real services wait more than they compute: with one worker per core, the CPU would be idle half of the
 * time.
 */
const maxWorkers = availableParallelism() * 2;

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            '{contract,storage,ingest,server,worker}/src/**/*.test.ts',
            'server/migrations/**/*.test.ts',
          ],
          globalSetup: ['tools/vitest-setup.ts'],
          ...patient,
        },
      },
      {
        test: {
          name: 'web',
          environment: 'node',
          include: ['web/app/**/*.test.{ts,tsx}'],
          ...patient,
        },
      },
      { test: { name: 'tools', environment: 'node', include: ['tools/**/*.test.ts'], ...patient } },
    ],
  },
});
