import { decodeJwt } from 'jose';
import { accountApi, LIMITS } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp, person, turnableClock, visitingApp, type TestApp } from '../../../testing/index.ts';
import { createKeys, systemClock } from '../../foundation/index.ts';
import { createAccessTokens } from './access-token.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import { createSigningKeys } from './signing-key-service.ts';

const SECRET = 'a secret that has thirty-two characters';
const SITE = 'http://drive.test';

/** Creates tokens as the installation does, with claims that it would never issue. */
function forger({ database }: TestApp) {
  const keys = createKeys(Buffer.from(SECRET));
  const signing = createSigningKeys({ database, store: createSigningKeyStore(), keys, clock: systemClock });
  return createAccessTokens({ keys, signing, clock: systemClock, site: undefined });
}

const mine = (app: TestApp, token: string) =>
  person(app.http, { authorization: `Bearer ${token}` }).call(accountApi.me, {});
const refused = { id: 'unauthenticated' };

test('an access token is accepted only where it was issued and from the client of its session', async () => {
  await using app = await openTestApp({ environment: { SECRET } });
  const ann = await app.signUp('ann');
  const tokens = forger(app);
  const said = decodeJwt(ann.accessToken);
  const own = {
    account: ann.id,
    session: said['sid'] as string,
    clientId: said.aud as string,
    issuer: SITE,
    scopes: undefined,
  };
  expect(await mine(app, await tokens.issue(own))).toMatchObject({ sub: ann.id });
  await expect(mine(app, await tokens.issue({ ...own, clientId: 'another' }))).rejects.toMatchObject(refused);

  const frame = await visitingApp(app);
  const { access_token: given } = await frame.letIn(ann);
  const session = decodeJwt(given)['sid'] as string;
  const theirs = { ...own, session, clientId: frame.id, scopes: ['user'] };
  expect(await mine(app, await tokens.issueForApp(theirs))).toMatchObject({ sub: ann.id });
  for (const wrong of [{ issuer: 'https://elsewhere.test' }, { clientId: 'another' }])
    await expect(mine(app, await tokens.issueForApp({ ...theirs, ...wrong }))).rejects.toMatchObject(refused);
});

test('a token that was just used expires on time', async () => {
  const clock = turnableClock();
  await using app = await openTestApp({ clock });
  const ann = await app.signUp('ann');
  clock.advance((LIMITS.accessTokenSeconds - 30) * 1000);
  expect(await mine(app, ann.accessToken)).toMatchObject({ sub: ann.id });
  clock.advance(29_000);
  expect(await mine(app, ann.accessToken)).toMatchObject({ sub: ann.id });
  clock.advance(1000);
  await expect(mine(app, ann.accessToken)).rejects.toMatchObject(refused);
});
