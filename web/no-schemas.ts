/**
 * Replaces typebox in the browser. Pages call endpoints and never validate: the server does, with the real
 * schemas. Built with this, an endpoint is its name, method and path, and the browser saves 17 kB of
 * compressed script.
 */
const nothing = (): object => ({});

export default new Proxy({}, { get: () => nothing });
