import { SmsRefusal, type SmsSender } from './sender.ts';

const TIMEOUT_MS = 10_000;
const MOST_ANSWER = 64 * 1024;
/**
 * Error codes for numbers that can't get messages: invalid, not mobile, in a blocked country, or unsubscribed
 * by their owner.
 */
const NEVER = new Set([21211, 21214, 21217, 21408, 21610, 21612, 21614]);

/**
 * REST API of Twilio, which others implement too: `twilio://SID:TOKEN@host?from=+…`, with a number, a name or
 * a messaging service as sender.
 */
export function createTwilioSender(url: URL): SmsSender {
  const account = decodeURIComponent(url.username);
  const pair = `${account}:${decodeURIComponent(url.password)}`;
  const scheme = url.protocol === 'twilio+http:' ? 'http' : 'https';
  const endpoint = `${scheme}://${url.host}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  // A plus in a query is read as a space by form parsers.
  const from = (url.searchParams.get('from') ?? '').replace(/^ (?=\d)/, '+');
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };

  return {
    async send({ to, text }) {
      const reply = await fetch(endpoint, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
        body: new URLSearchParams({ To: to, Body: text, ...sender }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = (await reply.text()).slice(0, MOST_ANSWER);
      if (reply.ok) return;
      const code = codeOf(answer);
      if (NEVER.has(code)) throw new SmsRefusal(`The provider refuses the number: ${code}`);
      throw new Error(`The text message provider returned ${reply.status}, ${code}`);
    },
  };
}

function codeOf(answer: string): number {
  try {
    const { code } = JSON.parse(answer) as { code?: unknown };
    return typeof code === 'number' ? code : 0;
  } catch {
    return 0;
  }
}
