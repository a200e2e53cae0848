import { openApp } from '../src/app.ts';
import { readConfig } from '../src/foundation/index.ts';

// A process that does jobs and nothing else, for tests that kill one in the midst of its work.
const app = await openApp(readConfig(process.env));
app.jobs.start();
process.on('SIGTERM', () => void app.close().then(() => process.exit()));
process.stdout.write('ready\n');
