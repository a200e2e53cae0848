import { defineConfig } from 'vitest/config';

const patient = { testTimeout: 20_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            '{contract,storage,ingest,server,worker}/src/**/*.test.ts',
            'server/migrations/**/*.test.ts',
          ],
          globalSetup: ['tools/vitest-services.ts'],
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
