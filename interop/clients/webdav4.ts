import type { Client } from '../client.ts';
import { openDesk } from '../desk.ts';
import { readyPython } from '../python.ts';

/** The Python library, and its file system for fsspec. */
export const webdav4: Client = {
  title: 'webdav4 and fsspec (Python) over WebDAV',
  async ready(say) {
    const packages = ['webdav4==0.11.0', 'fsspec'];
    const found = await readyPython(say, { module: 'webdav4', packages });
    if ('absent' in found) return found;
    return {
      version: found.version,
      async run(scene) {
        const { url, user, secret } = await openDesk(scene);
        await found.script('call_webdav4.py', { DAV_URL: url, DAV_USER: user, DAV_SECRET: secret })(scene);
      },
    };
  },
};
