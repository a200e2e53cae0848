import { shareApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, shareStatus } from '../../testing/index.ts';
import { shareCommand } from './share-command.ts';

eachDatabase((dialect) => {
  test('the share command closes one share by its link, and the owner’s other shares stay open', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { 'one.txt': '1', 'two.txt': '2' });
    const [one, two] = await Promise.all(
      Object.values(ids).map((id) => ann.call(shareApi.create, { body: { file_ids: [id] } })),
    );
    const said: string[] = [];
    const order = (...words: string[]) => shareCommand(app.config, words, (line) => said.push(line));

    await order('close', one!.share_url);
    expect(await shareStatus(app.visitor, one!.share_id)).toBe('PROHIBITED');
    expect(await shareStatus(app.visitor, two!.share_id)).toBe('OK');
    await order('review', one!.share_id);
    expect(await shareStatus(app.visitor, one!.share_id)).toBe('AUDITING');
    await order('open', one!.share_id);
    expect(await shareStatus(app.visitor, one!.share_id)).toBe('OK');
    expect(said).toHaveLength(3);
    await expect(order('close', 'VNoSuchShare')).rejects.toThrow('Share VNoSuchShare doesn’t exist.');
    await expect(order('delete', one!.share_id)).rejects.toThrow('share close|review|open LINK');
  });
});
