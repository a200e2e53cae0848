import { expect, test } from 'vitest';
import { ApiFailure, type ApiCall } from '@bowerbird/contract';
import { orderAll, type Order, type OrderOptions } from './add-links.ts';

const OPTIONS: OrderOptions = {
  folderId: undefined,
  headers: {},
  priority: 'normal',
  startTime: '',
  from: 'manual',
};
const orders = (count: number): Order[] =>
  Array.from({ length: count }, (_, n) => ({
    key: `k${n}`,
    url: `https://a.example/${n}`,
    files: undefined,
  }));

type Body = { parent_id: string; folder_type: string; url: Record<string, unknown> & { url: string } };

function ordering(answer: (url: string) => string | Error) {
  const sent: { body: Body; key: string | undefined }[] = [];
  const call = ((_spec: unknown, { body }: { body: Body }, options?: { idempotencyKey?: string }) => {
    sent.push({ body, key: options?.idempotencyKey });
    const reply = answer(body.url.url);
    return reply instanceof Error
      ? Promise.reject(reply)
      : Promise.resolve({ task: { id: reply }, file: null, upload_type: '' });
  }) as unknown as ApiCall;
  const order = (some: readonly Order[], options = OPTIONS) =>
    orderAll(call, some, options, { keyOf: ({ key }) => `once ${key}`, onDone: () => undefined });
  return { order, sent };
}

test('one rejected link does not hold up the others', async () => {
  const { order } = ordering((url) =>
    url.endsWith('/3') ? new ApiFailure('link_forbidden') : `task ${url.slice(-1)}`,
  );
  const { tasks, failures } = await order(orders(6));
  expect(tasks).toEqual(['task 0', 'task 1', 'task 2', 'task 4', 'task 5']);
  expect([...failures.keys()]).toEqual(['k3']);
});

test('once the daily limit is reached, the remaining links are not sent', async () => {
  const { order, sent } = ordering(() => new ApiFailure('task_daily_create_limit'));
  const { failures } = await order(orders(50));
  expect(failures.size).toBe(50);
  expect(sent.length).toBeLessThan(5);
});

test('links without a folder go to the download folder, and only the selected options are sent', async () => {
  const { order, sent } = ordering(() => 'task');
  await order(orders(1));
  expect(sent[0]).toMatchObject({ body: { parent_id: '', folder_type: 'DOWNLOAD' }, key: 'once k0' });
  expect(sent[0]!.body.url).toEqual({ url: 'https://a.example/0' });
  await order([{ key: 'k', url: 'magnet:?x', files: [1, 4] }], {
    ...OPTIONS,
    folderId: 'f1',
    headers: { cookie: 'a=b' },
    priority: 'high',
    startTime: '2026-11-29T02:00:00.000Z',
  });
  expect(sent[1]!.body).toMatchObject({
    parent_id: 'f1',
    folder_type: '',
    url: {
      url: 'magnet:?x',
      files: [1, 4],
      headers: { cookie: 'a=b' },
      priority: 'high',
      start_time: '2026-11-29T02:00:00.000Z',
    },
  });
});
