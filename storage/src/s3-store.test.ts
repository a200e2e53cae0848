import { judge } from './testing/judge.ts';
import { openS3Store } from './s3-store.ts';
import { dyingStore, freshPlace, testAddress } from './testing/s3-places.ts';
import { cuttableWay } from './testing/vanishing-service.ts';
import type { BlobStore } from './blob-store.ts';

judge('the s3 engine', true, async () => {
  const { prefix } = freshPlace();
  const { hostname, port } = testAddress();
  const way = await cuttableWay(hostname, Number(port));
  const opened: BlobStore[] = [];
  return {
    async open() {
      const store = await openS3Store(freshPlace(prefix, way.host));
      opened.push(store);
      return store;
    },
    async openDying(dieAfter) {
      const dying = await dyingStore(prefix, dieAfter);
      opened.push(dying.store);
      return dying;
    },
    async takeAway() {
      await way.cut();
      return async () => void (await way.mend());
    },
    async clear() {
      await Promise.all(opened.map((store) => store.close()));
      await way.close();
    },
  };
});
