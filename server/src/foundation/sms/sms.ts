import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ids } from '../id.ts';
import type { SmsSender } from './sender.ts';
import { createTwilioSender } from './twilio.ts';

/**
 * Sends text messages through the provider of the URL: `twilio://SID:TOKEN@api.twilio.com?from=+15005550006`,
 * or `outbox:`, which writes .txt files. Without a URL there are none.
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
