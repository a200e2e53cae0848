import { createHash, randomBytes } from 'node:crypto';
import { openBlobStore } from '@bowerbird/storage';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, signIn, upload } from '../../testing/index.ts';
import type { DriveTables } from '../drive/drive-tables.ts';

eachDatabase((dialect) => {
  test('a full read finds checksums and content that do not match, and repairs checksums', async () => {
    await using app = await openTestApp({ dialect, storage: await openBlobStore('memory:') });
    const ann = await signIn(app.http, await app.signUp('ann'));
    const bytes = randomBytes(300_000);
    await upload(app, ann, 'egg.bin', bytes);
    await upload(app, ann, 'nothing.bin', '');
    await upload(app, ann, 'small.bin', 'small');
    const change = (values: Partial<Pick<DriveTables['blob'], 'sha1' | 'md5' | 'store_key'>>) =>
      app.database.transaction((tx) =>
        tx.on<DriveTables>().updateTable('blob').set(values).where('size', '=', bytes.length).execute(),
      );
    const found = async (repair = false) =>
      (await app.upload.checkContent({ repair })).map(({ what, detail, repaired }) => [
        what,
        detail,
        repaired,
      ]);
    const [md5, sha1] = ['md5', 'sha1'].map((name) => createHash(name).update(bytes).digest('hex'));
    expect(await found()).toEqual([]);

    await change({ md5: '0'.repeat(32) });
    const wrong = `recorded md5 ${'0'.repeat(32)}, found ${md5}`;
    expect(await found()).toEqual([['blob-checksum', wrong, false]]);
    expect(await found(true)).toEqual([['blob-checksum', wrong, true]]);
    expect(await found()).toEqual([]);
    await change({ sha1: '1'.repeat(40) });
    expect(await found(true)).toEqual([
      ['blob-checksum', `recorded sha1 ${'1'.repeat(40)}, found ${sha1}`, true],
    ]);
    // Missing checksums are filled in by the job.
    await change({ sha1: null, md5: null });
    expect(await found()).toEqual([]);

    await app.storage.put('blob/00/other', randomBytes(bytes.length));
    await change({ store_key: 'blob/00/other' });
    expect(await found(true)).toEqual([
      ['blob-content', expect.stringMatching(/recorded hash .+gcid .+cid /), false],
    ]);
    await change({ store_key: 'blob/00/none' });
    expect(await found()).toEqual([]);
    expect((await app.drive.check({ repair: false })).map(({ what }) => what)).toContain('blob-missing');
  });
});
