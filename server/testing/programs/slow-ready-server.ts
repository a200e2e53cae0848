import { PLACE, type Place } from '../../src/processes/messages.ts';

// The product's command line as a group of processes, of which the second answers requests long before its supervisor
// learns that it is ready.

const LATE_MS = 5_000;

const { number } = JSON.parse(process.env[PLACE] ?? '{}') as Partial<Place>;
const send = process.send?.bind(process) as ((...message: unknown[]) => boolean) | undefined;
if (send && number === 2)
  process.send = (...message: unknown[]) => {
    setTimeout(() => send(...message), LATE_MS);
    return true;
  };

await import('../../src/main.ts');
