/** Requested address. A path that begins with two slashes is a path, not another host. */
export function askedAddress(target: string, origin: string): URL {
  return target.startsWith('/') ? new URL(origin + target) : new URL(target, origin);
}

/**
 * Address of the page that a request is about: pages load their data from their own address plus `.data`, or
 * `_.data` after a slash.
 */
export function pageAddress(asked: URL): URL {
  if (!asked.pathname.endsWith('.data')) return asked;
  const page = new URL(asked);
  page.pathname = asked.pathname.replace(/(?:(?<=\/)_)?\.data$/, '');
  return page;
}
