/** What origins set while one source is asked for: many lead in a circle unless it comes back to them. */
export interface Cookies {
  take(setCookie: string | readonly string[] | undefined, url: URL): void;
  addTo(headers: Record<string, string>, url: URL): Record<string, string>;
}

const MOST = 50;
const LONGEST = 4096;

/** For exactly the origin that set them: whom else it wants to share them with doesn't matter for a file. */
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
