import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A separate installation that sends email, to a mailbox that the journey reads. */
export interface MailingServer extends AsyncDisposable {
  readonly origin: string;
  /** Its data, including the database. */
  readonly folder: string;
  /** Waits for the newest email to an address. */
  mailTo(address: string, subject: RegExp): Promise<ParsedMail>;
  /** The output of an operator's command. */
  command(...args: string[]): Promise<string>;
}

const MAIN = join(import.meta.dirname, '../../.cache/server/main.js');

/**
 * `host` is the name in its addresses, `port` is free unless the server is restarted, `documents` is the content of
 * `SITE_DOCUMENTS`, `environment` contains additional settings.
 */
export async function mailingServer({
  host = '127.0.0.1',
  port: wanted,
  documents,
  environment = {},
}: {
  host?: string;
  port?: number;
  documents?: object;
  environment?: Record<string, string>;
} = {}): Promise<MailingServer> {
  const mails: ParsedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) =>
      void simpleParser(stream).then((mail) => {
        mails.push(mail);
        done();
      }, done),
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const mailPort = (smtp.server.address() as AddressInfo).port;
  const port = wanted ?? (await freePort());
  const origin = `http://${host}:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'bowerbird-mailing-'));
  const file = join(folder, 'site.json');
  if (documents) writeFileSync(file, JSON.stringify(documents));
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    SITE_URL: origin,
    DATA_DIR: folder,
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    ...(documents ? { SITE_DOCUMENTS: file } : {}),
    ...environment,
  };
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const server = start('serve');
  await isReady(`http://127.0.0.1:${port}`);

  return {
    origin,
    folder,
    async mailTo(address, subject) {
      for (let tries = 0; tries < 200; tries++) {
        const mail = mails.findLast(
          (one) => JSON.stringify(one.to).includes(address) && subject.test(one.subject ?? ''),
        );
        if (mail) return mail;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`no email ${subject} arrived at ${address}`);
    },
    async command(...args) {
      const child = start(...args);
      let said = '';
      child.stdout!.on('data', (bytes) => (said += String(bytes)));
      await once(child, 'close');
      return said;
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function isReady(origin: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const reply = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the server did not become ready');
}

/** The six-digit code in an email. */
export const codeOf = (mail: ParsedMail): string => /\b\d{6}\b/.exec(mail.text ?? '')![0];
