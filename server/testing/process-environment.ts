/**
 * Environment of product processes in tests: only the path and the compile cache, none of the developer's
 * settings.
 */
export const processEnvironment = {
  PATH: process.env['PATH'],
  /** One process on every machine: tests kill it. */
  PROCESSES: '1',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
