/**
 * What a process of the product gets in a test: where programs are and where compiled code is kept, which halves its start.
 * Nothing of the developer's settings.
 */
export const processEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
