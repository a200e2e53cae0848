import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ids } from '../id.ts';
import type { SmsSender } from './sender.ts';
import { createTwilioSender } from './twilio.ts';

/**
 * Text messages by the provider that the address names: `twilio://SID:TOKEN@api.twilio.com?from=+15005550006`, or
 * `outbox:`, where they lie as .txt files. Without an address there are none.
 */
export function createSmsSender(options: {
  url: string | undefined;
  outbox: string;
  ids: Ids;
}): SmsSender | undefined {
  if (options.url === undefined) return undefined;
  const url = new URL(options.url);
  if (url.protocol !== 'outbox:') return createTwilioSender(url);
  return {
    async send({ to, text }) {
      await mkdir(options.outbox, { recursive: true, mode: 0o700 });
      const file = join(options.outbox, `${options.ids.next()}.txt`);
      await writeFile(file, `${to}\n\n${text}\n`, { mode: 0o600 });
    },
  };
}
