import assert from 'node:assert/strict';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import type { Scene } from './client.ts';
import { signedIn } from './desk.ts';

/** Permission to upload one object, which any client of this S3 dialect can use. */
export type Ticket = UploadTicket['params'] & { readonly name: string; readonly size: number };

/** The expected content of a ticket's object: its name, repeated. */
export const contentFor = ({ name, size }: { name: string; size: number }): Buffer =>
  Buffer.alloc(size, name);

/** Tickets for new files, by their names. */
export async function askTickets<Name extends string>(
  scene: Scene,
  sizes: Readonly<Record<Name, number>>,
): Promise<Record<Name, Ticket>> {
  const call = await signedIn(scene);
  const tickets: Partial<Record<Name, Ticket>> = {};
  for (const [name, size] of Object.entries(sizes) as [Name, number][]) {
    const { resumable } = await call(driveApi.create, {
      body: {
        kind: 'drive#file',
        name,
        size,
        upload_type: 'UPLOAD_TYPE_RESUMABLE',
        resumable: { provider: 'PROVIDER_ALIYUN' },
        parent_id: '',
      },
    });
    tickets[name] = { ...resumable!.params, name, size };
  }
  return tickets as Record<Name, Ticket>;
}

/** Each file has the content that was to be uploaded. */
export async function proveUploads(scene: Scene, tickets: Readonly<Record<string, Ticket>>): Promise<void> {
  const call = await signedIn(scene);
  for (const ticket of Object.values(tickets)) {
    const { web_content_link: link, phase } = await call(driveApi.get, {
      params: { id: ticket.key },
      query: {},
    });
    assert.equal(phase, 'PHASE_TYPE_COMPLETE', ticket.name);
    const bytes = Buffer.from(await (await fetch(link)).arrayBuffer());
    assert.ok(bytes.equals(contentFor(ticket)), `${ticket.name} holds other bytes`);
  }
}
