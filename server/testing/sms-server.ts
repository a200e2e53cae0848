import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedSms {
  readonly to: string;
  readonly text: string;
  readonly from: string;
  readonly authorization: string;
  readonly path: string;
}

/**
 * A provider of text messages with the API of Twilio. It rejects numbers that end in 000, and fails for those
 * that end in 999.
 */
export async function smsServer() {
  const messages: ReceivedSms[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body);
      const to = form.get('To') ?? '';
      const answer = (status: number, said: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      };
      if (to.endsWith('000')) return answer(400, { code: 21211, message: `'To' ${to} is not valid` });
      if (to.endsWith('999')) return answer(500, { code: 20500, message: `broke over ${to}` });
      messages.push({
        to,
        text: form.get('Body') ?? '',
        from: form.get('From') ?? form.get('MessagingServiceSid') ?? '',
        authorization: request.headers.authorization ?? '',
        path: request.url ?? '',
      });
      return answer(201, { sid: 'SM1', status: 'queued' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    messages,
    url: `twilio+http://AC1:to%2Fken@127.0.0.1:${port}?from=+15005550006`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
