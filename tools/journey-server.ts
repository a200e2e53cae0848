import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The server that browser journeys visit: a new installation in a folder that is deleted when it ends. It may fetch
// from this machine, where journeys have their own sites, and trusts them about the networks they come from.

const dataDir = mkdtempSync(join(tmpdir(), 'bowerbird-journeys-'));
const main = join(import.meta.dirname, '..', '.cache', 'server', 'main.js');
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  NODE_ENV: 'production',
  FETCH_ALLOW: '127.0.0.0/8',
  TRUSTED_PROXIES: '127.0.0.1',
  DEBUG_CONSOLE: 'd'.repeat(32),
  OPERATOR_EMAIL: 'operator@example.org',
  OPERATOR_PASSWORD: 'blue feathers 27',
  BLOCKED_NETWORKS: '203.0.113.0/24',
};
const server = spawn(process.execPath, [main, 'serve'], { stdio: 'inherit', env });

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
