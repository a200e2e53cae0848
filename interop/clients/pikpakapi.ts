import type { Client } from '../client.ts';
import { readyPython } from '../python.ts';
import { standInForPikPakApi } from '../stand-ins.ts';

/** Every public method of the Python library. */
export const pikpakapi: Client = {
  title: 'PikPakAPI',
  async ready(say) {
    const found = await readyPython(say, {
      module: 'pikpakapi',
      packages: ['pikpakapi==0.1.11', 'httpx>=0.27'],
    });
    if ('absent' in found) return { ...found, standIn: standInForPikPakApi };
    return { version: found.version, run: found.script('call_pikpakapi.py') };
  },
};
