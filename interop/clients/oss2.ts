import type { Client } from '../client.ts';
import { readyPython } from '../python.ts';
import { askTickets, proveUploads } from '../tickets.ts';

const MIB = 2 ** 20;

/** Alibaba's own SDK for Python, with the tickets that our server issues for uploads. */
export const oss2: Client = {
  title: 'oss2 (Alibaba’s SDK for Python)',
  async ready(say) {
    const found = await readyPython(say, { module: 'oss2', packages: ['oss2==2.19.1'] });
    if ('absent' in found) return found;
    return {
      version: found.version,
      async run(scene) {
        const tickets = await askTickets(scene, {
          ...{ 'put-v1': 5000, 'put-v4': 5000, 'stream-v1': MIB, 'aborted-v1': 300_000 },
          ...{ 'resumable-v1': 12 * MIB, 'resumable-v4': 12 * MIB, 'parts-v1': 6 * MIB, 'parts-v4': 6 * MIB },
        });
        const { 'aborted-v1': _, ...kept } = tickets;
        await found.script('call_oss2.py', { TICKETS: JSON.stringify(tickets) })(scene);
        await scene.step('what was uploaded is there', () => proveUploads(scene, kept));
      },
    };
  },
};
