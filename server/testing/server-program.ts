import { join } from 'node:path';

/**
 * The bundled server, which is what users run and starts in half of the time of its sources. It is built before
 * tests that mention this name, `realServer` or `serverGroup`.
 */
export const serverProgram = join(import.meta.dirname, '../../.cache/server/main.js');

/** The bundled helper processes, which are built before all tests that may need them. */
export const helperProgram = join(import.meta.dirname, '../../.cache/worker/main.js');
