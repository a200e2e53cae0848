import {
  accountApi,
  driveApi,
  shareApi,
  taskApi,
  type EndpointSpec,
  type InputOf,
  type ReplyOf,
} from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres, PASSWORD, realServer, type RealServer } from '../testing/index.ts';

/**
 * A call with an idempotency key: `first` sends it to a server that is killed before it replies, `again`
 * repeats it.
 */
function asked<S extends EndpointSpec>(
  server: RealServer,
  { spec, input, token, key }: { spec: S; input: InputOf<S>; token: string; key: string },
): { first: () => Promise<void>; again: () => Promise<ReplyOf<S>> } {
  const again = (): Promise<ReplyOf<S>> => server.call(spec, input, token, key);
  return {
    again,
    async first() {
      await expect(again()).rejects.toThrow(TypeError);
      await server.ended();
    },
  };
}

eachDatabase((dialect) => {
  test(
    'a change whose server was killed before it could reply is not repeated by a retry, which gets the first reply',
    { timeout: 600_000 },
    async () => {
      await using postgres = dialect === 'postgres' ? await disposable() : undefined;
      await using server = await realServer(postgres ? { DATABASE_URL: postgres.url } : {});
      await server.start();
      const grant = await server.call(accountApi.signUp, {
        body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
      });
      const token = grant.access_token!;
      const dieAt = async (table: string): Promise<void> => {
        await server.kill();
        await server.start({ killedAfter: `insert into ${table}` });
      };
      const names = async (): Promise<string[]> =>
        (await server.call(driveApi.list, { query: { limit: 100 } }, token)).files.map(({ name }) => name);
      const tasks = async (type: string): Promise<string[]> =>
        (await server.call(taskApi.list, { query: { type } }, token)).tasks.map(({ id }) => id);

      await dieAt('node');
      const folder = asked(server, {
        spec: driveApi.create,
        input: { body: { kind: 'drive#folder', name: 'nest' } },
        token,
        key: 'folder',
      });
      await folder.first();
      await server.start({ killedAfter: 'insert into node' });
      const { file } = await folder.again();
      expect(await folder.again()).toEqual({ upload_type: 'UPLOAD_TYPE_UNKNOWN', file, task: null });
      expect(await names()).toEqual(['nest']);

      const copy = asked(server, {
        spec: driveApi.copy,
        input: { body: { ids: [file!.id], to: { parent_id: '' } } },
        token,
        key: 'copy',
      });
      await copy.first();
      await server.start({ killedAfter: 'insert into share' });
      const copied = await copy.again();
      expect(await copy.again()).toEqual(copied);
      expect(await names()).toHaveLength(2);
      expect(await tasks('copy')).toEqual([copied.task_id]);

      const share = asked(server, {
        spec: shareApi.create,
        input: { body: { file_ids: [file!.id], pass_code_option: 'REQUIRED' } },
        token,
        key: 'share',
      });
      await share.first();
      await server.start({ killedAfter: 'insert into upload' });
      const shared = await share.again();
      expect(await share.again()).toEqual(shared);
      const { data } = await server.call(shareApi.listOwn, { query: {} }, token);
      expect(data.map(({ share_id: id, pass_code: code }) => [id, code])).toEqual([
        [shared.share_id, shared.pass_code],
      ]);

      const upload = asked(server, {
        spec: driveApi.create,
        input: { body: { kind: 'drive#file', name: 'song.txt', size: 12 } },
        token,
        key: 'upload',
      });
      await upload.first();
      await server.start({ killedAfter: 'insert into offline' });
      const ticket = await upload.again();
      expect(await upload.again()).toEqual(ticket);
      expect(await tasks('upload')).toEqual([ticket.task!.id]);

      const link = asked(server, {
        spec: driveApi.create,
        input: {
          body: {
            kind: 'drive#file',
            upload_type: 'UPLOAD_TYPE_URL',
            url: { url: 'http://127.0.0.1:9/film.bin' },
          },
        },
        token,
        key: 'link',
      });
      await link.first();
      await server.start({ killedAfter: 'insert into upload' });
      const fetched = await link.again();
      expect((await link.again()).task!.id).toBe(fetched.task!.id);
      expect(await tasks('offline')).toEqual([fetched.task!.id]);

      // An empty file is written to the storage in between, so its progress is unknown after a kill.
      const empty = asked(server, {
        spec: driveApi.create,
        input: { body: { kind: 'drive#file', name: 'empty.txt', size: 0 } },
        token,
        key: 'empty',
      });
      await empty.first();
      await server.start();
      await expect(empty.again()).rejects.toThrow('outcome_unknown');
      await expect(empty.again()).rejects.toThrow('outcome_unknown');
      expect(await tasks('upload')).toHaveLength(2);

      // A content that was replaced is a version, once.
      const { file: text } = await server.call(
        driveApi.create,
        { body: { kind: 'drive#file', name: 'text.txt', size: 0 } },
        token,
      );
      const { id } = text!;
      const save = (content: string, key: string) =>
        fetch(`${server.origin}/drive/v1/files/${id}/content`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/octet-stream',
            'idempotency-key': key,
          },
          body: `{"base":"*"}\n${content}`,
        });
      expect((await save('first', 'one')).status).toBe(200);
      await dieAt('version');
      await expect(save('second', 'two')).rejects.toThrow(TypeError);
      await server.ended();
      await server.start({ killedAfter: 'insert into version' });
      expect((await save('second', 'two')).status).toBe(200);
      const versions = async () =>
        (await server.call(driveApi.versions, { params: { id }, query: {} }, token)).versions;
      expect(await versions()).toMatchObject([{ size: '5' }]);
      const [version] = await versions();
      const restore = asked(server, {
        spec: driveApi.restoreVersion,
        input: { params: { id, version_id: version!.id } },
        token,
        key: 'restore',
      });
      await restore.first();
      await server.start();
      const restored = await restore.again();
      expect(await restore.again()).toEqual(restored);
      expect(await versions()).toMatchObject([{ id: restored.version_id, size: '6' }]);
    },
  );
});

async function disposable(): Promise<{ url: string } & AsyncDisposable> {
  const { url, drop } = await freshPostgres();
  return { url, [Symbol.asyncDispose]: drop };
}
