import { join } from 'node:path';
import { accountApi, driveApi, shareApi } from '@bowerbird/contract';
import { expect, test } from '@playwright/test';
import { serverGroup, type Connected } from '../server/testing/server-group.ts';

const program = join(import.meta.dirname, '../.cache/server/main.js');

test('a share page that one process has rendered shows what another one changed, at once', async () => {
  await using group = await serverGroup(2, { NODE_ENV: 'production' }, { program, pages: true });
  const [one, two] = [await group.connect(1), await group.connect(2)];
  const grant = await one.call(accountApi.signUp, {
    body: { email: 'ann@example.org', password: 'a bower of blue things', name: 'Ann' },
  });
  const token = grant.access_token!;
  const made = await one.call(driveApi.create, { body: { kind: 'drive#folder', name: 'Letters' } }, token);
  const id = made.file!.id;
  const share = await one.call(shareApi.create, { body: { file_ids: [id], title: 'Finds' } }, token);
  const shareId = share.share_id;
  const visit = async ({ send }: Connected): Promise<string> =>
    (
      await send(`${group.origin}/s/${shareId}`, { method: 'GET', headers: { 'accept-language': 'en-US' } })
    ).text();
  const edit = (body: object) => one.call(shareApi.edit, { body: { share_id: shareId, ...body } }, token);

  for (let visits = 0; visits < 3; visits++) expect(await visit(two)).toContain('Letters');
  await one.call(driveApi.rename, { params: { id }, body: { name: 'Postcards' } }, token);
  const renamed = await visit(two);
  expect(renamed).toContain('Postcards');
  expect(renamed).not.toContain('Letters');
  await edit({ pass_code_option: 'REQUIRED' });
  expect(await visit(two)).not.toContain('Postcards');
  await edit({ pass_code_option: 'NOT_REQUIRED' });
  expect(await visit(two)).toContain('Postcards');
  await one.call(shareApi.cancel, { params: { id: shareId } }, token);
  expect(await visit(two)).not.toContain('Postcards');
});
