import { expect, test, vi } from 'vitest';
import type { ApiCall, Resource, ResourceFile, ResourceList } from '@bowerbird/contract';
import { createInspector, isDead } from './inspector.ts';
import { parseLinks } from './parse-links.ts';

const resource = (over: Partial<Resource> = {}): Resource => ({
  id: '',
  name: 'file.zip',
  file_size: '2048',
  file_count: 1,
  file_index: 0,
  meta: { status: '1' },
  is_dir: false,
  parent_id: '',
  resolver: 'DIRECT',
  path: '',
  url: '',
  dir: null,
  ...over,
});
const listOf = (...resources: Resource[]): ResourceList => ({
  list_id: 'list',
  list: { page_size: 1000, next_page_token: '', resources },
});
const file = (index: number): ResourceFile => ({
  ...resource({ name: `part ${index}.mkv`, file_index: index, file_size: '10' }),
  dir: null,
});

function inspecting(...replies: (ResourceList | Error)[]) {
  const asked: unknown[] = [];
  const call = ((_spec: unknown, input: unknown) => {
    asked.push(input);
    const reply = replies.shift();
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  }) as ApiCall;
  const inspector = createInspector(call, () => undefined);
  return { inspector, asked };
}
const links = (text: string) => parseLinks(text, 'https://drive.example').links;
const TWO = links('https://a.example/one\nhttps://b.example/two');

test('links are inspected once, in one request, and each result is assigned to its link', async () => {
  const { inspector, asked } = inspecting(
    listOf(resource({ name: 'one.zip' }), resource({ meta: { status: '2', error: 'source_not_found' } })),
  );
  inspector.look(TWO);
  inspector.look(TWO);
  await vi.waitFor(() => expect(inspector.get(TWO[0]!.key)?.state).toBe('known'));
  expect(asked).toHaveLength(1);
  expect(inspector.get(TWO[0]!.key)).toMatchObject({ name: 'one.zip', size: 2048 });
  expect(inspector.get(TWO[1]!.key)).toMatchObject({
    state: 'failed',
    error: 'source_not_found',
    name: 'two',
  });
});

test('a failed link is dead, but one that denied access may work with a cookie', async () => {
  const { inspector } = inspecting(
    listOf(
      resource({ meta: { status: '2', error: 'source_denied' } }),
      resource({ meta: { status: '2', error: 'source_not_found' } }),
    ),
  );
  expect(isDead(undefined, false)).toBe(false);
  inspector.look(TWO);
  expect(isDead(inspector.get(TWO[0]!.key), false)).toBe(false);
  await vi.waitFor(() => expect(isDead(inspector.get(TWO[0]!.key), false)).toBe(true));
  expect(isDead(inspector.get(TWO[0]!.key), true)).toBe(false);
  expect(isDead(inspector.get(TWO[1]!.key), true)).toBe(true);
});

test('a pending link is polled until its result is known', async () => {
  const { inspector, asked } = inspecting(
    listOf(resource({ meta: { status: '0' }, name: '', file_size: '' })),
    listOf(resource({ name: 'found.iso' })),
  );
  inspector.look(TWO.slice(0, 1));
  await vi.waitFor(() => expect(inspector.get(TWO[0]!.key)?.name).toBe('found.iso'), 3000);
  expect(asked).toHaveLength(2);
});

test('a link without a response is unchecked, not rejected', async () => {
  const { inspector } = inspecting(new Error('too frequent'));
  inspector.look(TWO);
  await vi.waitFor(() => expect(inspector.get(TWO[1]!.key)?.state).toBe('unchecked'));
});

test('the files of a torrent are loaded page by page', async () => {
  const torrent = (files: ResourceFile[], token: string): Resource =>
    resource({
      is_dir: true,
      name: 'Series',
      url: 'magnet:?xt=urn:btih:x',
      meta: { status: '1', kind: 'torrent' },
      dir: { page_size: 2, next_page_token: token, resources: files },
    });
  const { inspector } = inspecting(
    listOf(torrent([file(0), file(1)], 'next')),
    listOf(torrent([file(2)], '')),
  );
  inspector.look(TWO.slice(0, 1));
  const found = () => inspector.get(TWO[0]!.key)!;
  await vi.waitFor(() => expect(found().state).toBe('known'));
  expect(found().isWhole).toBe(false);
  await Promise.all([inspector.whole(TWO[0]!.key), inspector.whole(TWO[0]!.key)]);
  expect(found().isWhole).toBe(true);
  expect(found().tree!.totals().count).toBe(3);
  expect(found().url).toBe('magnet:?xt=urn:btih:x');
});

test('a file that is not a torrent is reported to the caller', async () => {
  const { inspector } = inspecting(new Error('torrent_invalid'));
  await expect(inspector.lookInto('t', 'a.torrent', 'AAAA')).rejects.toThrow('torrent_invalid');
  expect(inspector.get('t')).toBeUndefined();
});
