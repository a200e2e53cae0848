import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Ids } from '../id.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Address for replies. */
  readonly replyTo?: string;
  /** Link to unsubscribe from this kind of email; mail programs post to it without asking (RFC 8058). */
  readonly unsubscribe?: string;
}

export interface Mailer {
  /** True if emails reach their readers, so that addresses can be verified. */
  readonly delivers: boolean;
  /** Resolves once the email is handed over (or written). */
  send(mail: Mail): Promise<void>;
}

const inMail = ({ unsubscribe, ...mail }: Mail) => ({
  ...mail,
  ...(unsubscribe === undefined
    ? {}
    : {
        headers: {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
});

/** Loaded with the first email. */
const loadNodemailer = () => import('nodemailer');

/** Sends emails by SMTP, or writes them as .eml files to the outbox folder if no server is configured. */
export function createMailer(options: {
  smtpUrl: string | undefined;
  from: string;
  outbox: string;
  clock: Clock;
  ids: Ids;
}): Mailer {
  if (options.smtpUrl) {
    // A caller is waiting, so an unresponsive server times out soon.
    const settings = {
      url: options.smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    };
    return {
      delivers: true,
      async send(mail) {
        const { createTransport } = await loadNodemailer();
        await createTransport(settings).sendMail({ from: options.from, ...inMail(mail) });
      },
    };
  }
  const settings = { streamTransport: true, buffer: true, newline: 'windows' } as const;
  return {
    delivers: false,
    async send(mail) {
      const { createTransport } = await loadNodemailer();
      const { message } = await createTransport(settings).sendMail({
        from: options.from,
        date: new Date(options.clock.now()),
        ...inMail(mail),
      });
      await mkdir(options.outbox, { recursive: true, mode: 0o700 });
      await writeFile(join(options.outbox, `${options.ids.next()}.eml`), message as Buffer, { mode: 0o600 });
    },
  };
}
