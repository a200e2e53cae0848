/** Requested address. A path that begins with two slashes is a path, not another host. */
export function askedAddress(target: string, origin: string): URL {
  return target.startsWith('/') ? new URL(origin + target) : new URL(target, origin);
}

/**
 * The address of the page that a request is about: pages ask for their data at their own address with `.data` behind it,
 * where that ends in a slash with `_.data`.
 */
export function pageAddress(asked: URL): URL {
  const page = new URL(asked);
  page.pathname = asked.pathname.replace(/(?:(?<=\/)_)?\.data$/, '');
  return page;
}
