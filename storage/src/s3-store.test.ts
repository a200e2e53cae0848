import { judge } from './testing/judge.ts';
import { openS3Store } from './s3-store.ts';
import { dyingStore, freshPlace } from './testing/s3-places.ts';
import type { BlobStore } from './blob-store.ts';

judge('the s3 engine', true, async () => {
  const { prefix } = freshPlace();
  const opened: BlobStore[] = [];
  return {
    async open() {
      const store = await openS3Store(freshPlace(prefix));
      opened.push(store);
      return store;
    },
    async openDying(dieAfter) {
      const dying = await dyingStore(prefix, dieAfter);
      opened.push(dying.store);
      return dying;
    },
    async clear() {
      await Promise.all(opened.map((store) => store.close()));
    },
  };
});
