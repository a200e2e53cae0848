import { openApp } from '../src/app.ts';
import { readConfig } from '../src/foundation/index.ts';

// A process that only runs jobs, for tests that kill it in the middle of its work.
const app = await openApp(readConfig(process.env));
app.jobs.start();
process.on('SIGTERM', () => void app.close().then(() => process.exit()));
process.stdout.write('ready\n');
