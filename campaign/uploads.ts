import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { completionDocument } from '../server/testing/index.ts';
import type { Answer, Client } from './client.ts';

const PART = 5 * 1024 * 1024;

type Ticket = UploadTicket['params'];

export interface Upload {
  readonly client: Client;
  readonly parentId: string;
  readonly name: string;
  readonly content: Buffer;
}

/** Uploads a file in one request; with `comesBack`, repeats it until there is a response. */
export async function uploadWhole(upload: Upload, comesBack: boolean): Promise<Answer<unknown>> {
  const ticket = await askTicket(upload);
  if (ticket.kind !== 'done') return ticket;
  return again(() => upload.client.object(ticket.value, 'PUT', '', upload.content), comesBack);
}

/** Uploads a file in parts; with `comesBack`, also repeats the completion until there is a response. */
export async function uploadInParts(upload: Upload, comesBack: boolean): Promise<Answer<unknown>> {
  const { client, content } = upload;
  const ticket = await askTicket(upload);
  if (ticket.kind !== 'done') return ticket;
  const { value } = ticket;
  await again(() => client.object(value, 'POST', 'uploads'));
  const etags: Record<number, string> = {};
  for (let number = 1; (number - 1) * PART < content.length; number++) {
    const part = content.subarray((number - 1) * PART, number * PART);
    const query = `partNumber=${number}&uploadId=${value.key}`;
    const answer = await again(() => client.object(value, 'PUT', query, part));
    if (answer.kind !== 'done') return answer;
    etags[number] = answer.value.etag;
  }
  const parts = completionDocument(etags);
  return again(() => client.object(value, 'POST', `uploadId=${value.key}`, parts), comesBack);
}

async function askTicket({ client, parentId, name, content }: Upload): Promise<Answer<Ticket>> {
  const answer = await client.call(driveApi.create, {
    body: {
      kind: 'drive#file',
      upload_type: 'UPLOAD_TYPE_RESUMABLE',
      resumable: { provider: 'PROVIDER_ALIYUN' },
      parent_id: parentId,
      name,
      size: String(content.length),
    },
  });
  if (answer.kind !== 'done') return answer;
  return { ...answer, value: answer.value.resumable!.params };
}

async function again<T>(work: () => Promise<Answer<T>>, comesBack = true): Promise<Answer<T>> {
  for (let tries = 0; ; tries++) {
    const answer = await work();
    if (answer.kind !== 'lost' || !comesBack || tries === 120) return answer;
    await sleep(500);
  }
}
