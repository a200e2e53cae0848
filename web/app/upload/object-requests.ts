import { isErrorId, type ErrorId, type UploadTicket } from '@bowerbird/contract';
import type { Part } from './part/part-plan.ts';
import { signRequest } from './signature.ts';

/** The store refused or did not respond; `retry` if the same request may succeed later. */
export class ObjectFailure extends Error {
  readonly status: number;
  /** Our own identifier of the refusal, from the error catalog. */
  readonly reason: ErrorId | undefined;

  constructor(status: number, reason?: string) {
    super(reason ?? `status ${status}`);
    this.name = 'ObjectFailure';
    this.status = status;
    this.reason = reason !== undefined && isErrorId(reason) ? reason : undefined;
  }

  get retry(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** True if the server no longer has the upload: it must start over. */
  get gone(): boolean {
    return this.status === 404;
  }
}

interface Sent {
  readonly headers: (name: string) => string | null;
  readonly text: string;
}

/** Time without progress after which a connection counts as lost, and the longest wait for a response. */
const STALLED_MS = 90_000;
const ANSWER_MS = 5 * 60 * 1000;

/** XMLHttpRequest, because fetch doesn't report upload progress. */
async function send(
  ticket: UploadTicket['params'],
  method: string,
  query: Record<string, string>,
  body: Blob | string | null,
  signal: AbortSignal,
  { onSent, extra = {} }: { onSent?: (bytes: number) => void; extra?: Record<string, string> } = {},
): Promise<Sent> {
  const { url, headers } = await signRequest(ticket, method, query, {
    origin: location.origin,
    host: location.host,
    now: new Date(),
  });
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    let stalled: ReturnType<typeof setTimeout> | undefined;
    const settle = (done: () => void): void => {
      signal.removeEventListener('abort', abort);
      clearTimeout(stalled);
      done();
    };
    const wait = (ms: number): void => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        settle(() => reject(new ObjectFailure(408)));
        request.abort();
      }, ms);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries({ ...headers, ...extra }))
      request.setRequestHeader(name, value);
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream');
    if (onSent) {
      request.upload.addEventListener('progress', (event) => {
        wait(STALLED_MS);
        onSent(event.loaded);
      });
      request.upload.addEventListener('load', () => wait(ANSWER_MS));
    }
    request.addEventListener('load', () =>
      settle(() => {
        if (request.status < 300)
          resolve({ headers: (name) => request.getResponseHeader(name), text: request.responseText });
        else
          reject(
            new ObjectFailure(request.status, /<Reason>([^<]*)<\/Reason>/.exec(request.responseText)?.[1]),
          );
      }),
    );
    request.addEventListener('error', () => settle(() => reject(new ObjectFailure(0))));
    request.addEventListener('abort', () => settle(() => reject(signal.reason ?? new ObjectFailure(0))));
    signal.addEventListener('abort', abort, { once: true });
    wait(onSent ? STALLED_MS : ANSWER_MS);
    request.send(body);
  });
}

function elements(text: string, name: string): Element[] {
  return [...new DOMParser().parseFromString(text, 'application/xml').getElementsByTagName(name)];
}
const inside = (element: Element, name: string): string =>
  element.getElementsByTagName(name)[0]?.textContent ?? '';

/** S3 requests of an upload for the object of its ticket. */
export const objects = {
  async putWhole(
    ticket: UploadTicket['params'],
    body: Blob,
    signal: AbortSignal,
    onSent: (bytes: number) => void,
  ): Promise<void> {
    await send(ticket, 'PUT', {}, body, signal, { onSent });
  },

  async begin(ticket: UploadTicket['params'], signal: AbortSignal): Promise<string> {
    const { text } = await send(ticket, 'POST', { uploads: '' }, null, signal);
    return elements(text, 'UploadId')[0]?.textContent ?? '';
  },

  async putPart(
    ticket: UploadTicket['params'],
    uploadId: string,
    { number, start }: Part,
    body: Blob,
    signal: AbortSignal,
    onSent: (bytes: number) => void,
  ): Promise<string> {
    const { headers } = await send(
      ticket,
      'PUT',
      { partNumber: String(number), uploadId },
      body,
      signal,
      // Parts differ in size, so their numbers alone don't say where they belong; hashes depend on it.
      { onSent, extra: { 'x-part-start': String(start) } },
    );
    return headers('etag') ?? '';
  },

  /** Returns the parts that the server has, by part number. */
  async listParts(
    ticket: UploadTicket['params'],
    uploadId: string,
    signal: AbortSignal,
  ): Promise<Map<number, { etag: string; size: number }>> {
    const held = new Map<number, { etag: string; size: number }>();
    for (let after = ''; ;) {
      const { text } = await send(
        ticket,
        'GET',
        { uploadId, 'max-parts': '1000', ...(after && { 'part-number-marker': after }) },
        null,
        signal,
      );
      for (const part of elements(text, 'Part'))
        held.set(Number(inside(part, 'PartNumber')), {
          etag: inside(part, 'ETag'),
          size: Number(inside(part, 'Size')),
        });
      after = elements(text, 'NextPartNumberMarker')[0]?.textContent ?? '';
      if (elements(text, 'IsTruncated')[0]?.textContent !== 'true' || !after) return held;
    }
  },

  /** Returns true if the server has the whole file, so that nothing needs to be sent any more. */
  async isWhole(ticket: UploadTicket['params'], signal: AbortSignal): Promise<boolean> {
    try {
      await send(ticket, 'HEAD', {}, null, signal);
      return true;
    } catch (error) {
      if (error instanceof ObjectFailure && error.gone) return false;
      throw error;
    }
  },

  async complete(
    ticket: UploadTicket['params'],
    uploadId: string,
    etags: ReadonlyMap<number, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const parts = [...etags]
      .toSorted(([a], [b]) => a - b)
      .map(
        ([number, etag]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
      );
    await send(
      ticket,
      'POST',
      { uploadId },
      `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
      signal,
    );
  },
};
