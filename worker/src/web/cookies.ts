/** The cookies that origins set during the requests for one source; many redirect endlessly without them. */
export interface Cookies {
  take(setCookie: string | readonly string[] | undefined, url: URL): void;
  addTo(headers: Record<string, string>, url: URL): Record<string, string>;
}

const MOST = 50;
const LONGEST = 4096;

/** Sends cookies only to the exact origin that set them; their domain attribute is ignored. */
export function createCookies(): Cookies {
  const jars = new Map<string, Map<string, string>>();

  return {
    take(setCookie, { origin }) {
      for (const line of [setCookie ?? []].flat()) {
        const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
        if (!name || value === undefined || line.length > LONGEST) continue;
        const jar = jars.get(origin) ?? new Map<string, string>();
        jars.set(origin, jar);
        if (jar.size < MOST) jar.set(name, value.trim());
      }
    },
    addTo(headers, { origin }) {
      const jar = jars.get(origin);
      if (!jar) return headers;
      const set = [...jar].map(([name, value]) => `${name}=${value}`);
      return { ...headers, cookie: [headers['cookie'] ?? [], set].flat().join('; ') };
    },
  };
}
