/**
 * Environment of product processes in tests: only the path and the compile cache, none of the developer's
 * settings.
 */
export const processEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
