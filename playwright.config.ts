import { defineConfig } from '@playwright/test';

// This file is loaded by the runner and again by each of its workers: the port chosen first is kept in the environment.
const port = (process.env.JOURNEY_PORT ??= String(20_000 + (process.pid % 10_000)));
const address = `http://127.0.0.1:${port}`;
/** Origin of the only site that may embed pages. */
export const PORTAL_PORT = Number(port) + 1_000;

export default defineConfig({
  testDir: 'tests',
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // With one worker per core, two cores are idle a third of the time: tests wait for pages, and some for jobs.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL: address,
    locale: 'en-US',
    timezoneId: 'UTC',
    // Traces are only recorded where someone may look at them: they take a fifth of the time.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      // Without windows, Chromium takes half of the processor time.
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
      args: [
        // Chromium's sandbox doesn't work as root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node tools/journey-server.ts',
    url: `${address}/readyz`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: port,
      HOST: '127.0.0.1',
      SITE_URL: address,
      FRAME_ORIGINS: `http://127.0.0.1:${PORTAL_PORT}`,
      LOG_LEVEL: 'warn',
    },
  },
});
