import { randomBytes } from 'node:crypto';
import type { Changes } from '../foundation/database/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import { createLiveAudience, type AudienceOf } from './live-audience.ts';
import { createLiveRelay, type TellOthers } from './live-relay.ts';
import { mountLive } from './live-routes.ts';
import { createLive, type LiveLimits } from './live-service.ts';
import { liveStore } from './live-store.ts';
import type { LiveStream } from './live-stream.ts';
import { changesOf } from './live.ts';

export type { TellOthers } from './live-relay.ts';

/** A member with many browsers, a large office behind one address, and what the memory of one process allows. */
const LIMITS: LiveLimits = { ofAccount: 60, ofAddress: 600, ofServer: 25_000 };

/** Live streams, which tell open pages what has changed, in whichever process. */
export function createLiveDomain({
  database,
  config,
  isLive,
  tellOthers,
}: Foundation & {
  /** Returns true if a session or personal access token may still be used. */
  isLive: (viewer: LiveStream['viewer']) => Promise<boolean>;
  tellOthers: TellOthers | undefined;
}) {
  const live = createLive({
    limits: LIMITS,
    epoch: randomBytes(6).toString('hex'),
    now: () => performance.now(),
    isLive,
  });
  const relay = createLiveRelay({
    url: database.dialect === 'postgres' ? config.DATABASE_URL : undefined,
    send: (channel, texts) => liveStore.notify(database, channel, texts),
    tellOthers,
    live,
  });
  const pass = (changes: Changes): void => {
    live.changed(changes);
    relay.add(changes);
  };
  const audience = createLiveAudience(pass);
  database.onChanged((changes) => {
    pass(changes);
    audience.add(changes);
  });
  return {
    live,
    /** Hook for the domain of files, whose changes also concern the members who were given access to them. */
    onAudience: (audienceOf: AudienceOf): void => audience.onAudience(audienceOf),
    /** Takes what another process of this machine has committed. */
    heard: (texts: readonly string[]) => {
      for (const text of texts) live.heard(changesOf(text));
    },
    mount({ http }: Mount) {
      mountLive(http, live);
      http.addHook('onListen', async () => relay.open());
    },
    async stop() {
      live.close();
    },
    close() {
      audience.close();
      return relay.close();
    },
  };
}
