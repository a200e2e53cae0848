import {
  accountApi,
  adminApi,
  adminMembershipApi,
  closingApi,
  decompressApi,
  driveApi,
  ENDPOINTS,
  eventApi,
  orderApi,
  peopleApi,
  preferenceApi,
  recentApi,
  securityApi,
  shareApi,
  subscriptionApi,
  takeoutApi,
  taskApi,
  webdavApi,
  type EndpointSpec,
  type InputOf,
  type LiveTopic,
  type ReplyOf,
} from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  basic,
  davClient,
  eachDatabase,
  openTestApp,
  PASSWORD,
  signIn,
  upload,
  type Member,
} from '../../testing/index.ts';

/** Endpoints that change nothing that pages of the member show. */
const SILENT = new Set([
  // They read, although their requests have bodies.
  'drive.conflicts',
  'drive.select',
  'share.batchFileInfo',
  'decompress.list',
  'offline.inspect',
  'subscription.preview',
  'membership.vipByPost',
  'membership.infoByPost',
  'oauth.postUserinfo',
  'shield.captchaInit',
  'shield.solve',
  'shield.verify',
  'shield.debugOptions',
  'status.upgrade',
  // They make links and codes that only their caller sees.
  'archive.pack',
  'archive.packShare',
  'takeout.open',
  'security.beginPasskey',
  'security.beginSecondFactor',
  'security.sendEmailCode',
  'security.sendPhoneCode',
  'oauth.authorize',
  'oauth.decideDevice',
  'oauth.handOver',
  'renewal.payment',
  // Messages to and lists of the administrator.
  'contact.send',
  'admin.testMail',
  'admin.handleMessage',
  'adminMembership.createBatch',
  'adminMembership.endBatch',
  // Browsers that skip the second step aren't listed.
  'security.forgetTrustedDevices',
]);

/** Endpoints with the same stores as those below, whose calls need another server or a long preparation. */
const KIN: Readonly<Record<string, string>> = {
  'account.signOut': 'security.endSession',
  'account.setPicture': 'account.changeMe',
  'account.removePicture': 'account.changeMe',
  'push.subscribe': 'security.createPass',
  'push.unsubscribe': 'security.revokePass',
  'security.addPasskey': 'security.createPass',
  'security.renamePasskey': 'security.createPass',
  'security.removePasskey': 'security.revokePass',
  'security.confirmSecondFactor': 'security.createPass',
  'security.renewRecoveryCodes': 'security.createPass',
  'security.endSecondFactor': 'security.revokePass',
  'security.changeEmail': 'security.changePassword',
  'security.changePhone': 'security.changePassword',
  'security.removePhone': 'security.changePassword',
  'oauth.removeApp': 'security.revokePass',
  'oauth.linkExternal': 'security.createPass',
  'oauth.unlinkExternal': 'security.revokePass',
  'invite.welcome': 'adminMembership.grantPlan',
  'checkIn.reward': 'adminMembership.grantPlan',
  'code.redeem': 'adminMembership.grantPlan',
  'activity.compensate': 'adminMembership.grantPlan',
  'activity.openGift': 'adminMembership.grantPlan',
  'order.pay': 'adminMembership.confirmOrder',
  'renewal.cancel': 'adminMembership.confirmOrder',
  'renewal.resume': 'adminMembership.confirmOrder',
  'adminMembership.cancelOrder': 'adminMembership.confirmOrder',
  'adminMembership.refundOrder': 'adminMembership.confirmOrder',
  'drive.uploadMany': 'drive.create',
  'drive.saveContent': 'drive.create',
  'drive.renameMany': 'drive.rename',
  'webdav.create': 'security.createPass',
  'webdav.remove': 'security.revokePass',
  'people.change': 'people.invite',
  'people.mute': 'people.invite',
  'people.remove': 'people.accept',
  'drive.restoreVersion': 'drive.rename',
  'drive.changeVersion': 'drive.rename',
  'drive.removeVersion': 'drive.rename',
  'drive.clearVersions': 'drive.rename',
  'share.restore': 'drive.copy',
  'decompress.unpack': 'decompress.pack',
  'decompress.decompress': 'decompress.pack',
  'offline.act': 'drive.create',
  'offline.retry': 'drive.create',
  'offline.pause': 'task.remove',
  'offline.resume': 'task.remove',
  'offline.prioritize': 'task.remove',
  'subscription.run': 'subscription.change',
  'subscription.take': 'subscription.change',
  'admin.admit': 'admin.thaw',
  'admin.decline': 'admin.freeze',
};

const PRODUCTS = {
  external_products: {
    plans: [{ id: 'vip', storage: '1 TB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        name: 'VIP',
        terms: [{ id: 'month', months: 1, price: { USD: 499 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
  },
};

eachDatabase((dialect) => {
  test('every call that changes what a member’s pages show tells them, and only after the commit', async () => {
    await using app = await openTestApp({ dialect, documents: PRODUCTS });
    const ann = await app.signUp('ann');
    const olga = await app.signUp('olga');
    await app.accounts.makeOperator(olga.id);
    const told: [string, LiveTopic][] = [];
    app.database.onChanged((changes) => {
      for (const [account, topics] of changes) for (const topic of topics) told.push([account, topic]);
    });
    const called = new Set<string>();

    async function tells<Reply>(topic: LiveTopic, work: () => Promise<Reply>): Promise<Reply> {
      told.length = 0;
      const reply = await work();
      expect(told).toContainEqual([ann.id, topic]);
      return reply;
    }
    const calls = async <S extends EndpointSpec>(
      topic: LiveTopic,
      spec: S,
      input: InputOf<S>,
      caller: Member = ann,
    ): Promise<ReplyOf<S>> => {
      called.add(spec.name);
      return tells(topic, () => caller.call(spec, input));
    };

    const { file } = await calls('files', driveApi.create, { body: { kind: 'drive#folder', name: 'nest' } });
    const nest = file!.id;
    const song = (await tells('files', () => upload(app, ann, 'song.txt', 'a bird sings'))).id;
    const ids = [song];
    const tag = await calls('tags', driveApi.createTag, { body: { name: 'Songs', color: 'red' } });
    await calls('tags', driveApi.changeTag, { params: { id: tag.id }, body: { color: 'blue' } });
    await calls('files', driveApi.tagFiles, { body: { ids, add: [tag.id] } });
    await calls('files', driveApi.look, { body: { ids: [nest], color: 'red' } });
    await calls('files', driveApi.setNote, { params: { id: song }, body: { text: 'Sing it' } });
    await calls('tags', driveApi.pin, { body: { id: nest } });
    await calls('tags', driveApi.renamePin, { params: { id: nest }, body: { name: 'Nest' } });
    await calls('tags', driveApi.orderPins, { body: { ids: [nest] } });
    await calls('tags', driveApi.unpin, { params: { id: nest } });
    await calls('tags', driveApi.removeTag, { params: { id: tag.id } });
    await tells('storage', () => upload(app, ann, 'other.txt', 'another bird'));
    await tells('recent', () => upload(app, ann, 'third.txt', 'a third'));
    await calls('files', driveApi.rename, { params: { id: song }, body: { name: 'tune.txt' } });
    await calls('files', driveApi.star, { body: { ids } });
    await calls('files', driveApi.unstar, { body: { ids } });
    await calls('files', driveApi.copy, { body: { ids, to: { parent_id: nest } } });
    await calls('tasks', driveApi.copy, { body: { ids, to: { parent_id: '' } } });
    await calls('files', driveApi.trash, { body: { ids } });
    await calls('files', driveApi.untrash, { body: { ids } });
    await calls('files', driveApi.move, { body: { ids, to: { parent_id: nest } } });
    await calls('recent', eventApi.report, {
      body: {
        event: { type: 'TYPE_PLAY', file_id: song, params: { play_seconds: 3, play_duration: 9 } },
      },
    });
    const { removal } = await calls('recent', recentApi.remove, { body: { file_ids: [song] } });
    await calls('recent', recentApi.restore, { body: { removal } });
    await tells('recent', async () => {
      await ann.call(driveApi.get, { params: { id: song }, query: { opened: 'true' } });
      await app.drive.recents.flush();
    });
    const { events } = await ann.call(eventApi.list, { query: {} });
    await calls('recent', eventApi.remove, { body: { ids: [events[0]!.id] } });
    await calls('recent', eventApi.clear, { body: {} });
    await calls('recent', recentApi.clear, { body: {} });

    const share = await calls('shares', shareApi.create, { body: { file_ids: [nest] } });
    await calls('shares', shareApi.edit, { body: { share_id: share.share_id, title: 'Songs' } });
    await app.visitor.call(shareApi.open, { query: { share_id: share.share_id } });
    await tells('shares', () => app.domains.share.close!());
    await calls('shares', shareApi.cancel, { params: { id: share.share_id } });
    const other = await ann.call(shareApi.create, { body: { file_ids: [nest] } });
    await calls('shares', shareApi.cancelMany, { body: { ids: [other.share_id] } });

    await calls('tasks', decompressApi.pack, { body: { folderId: nest } });
    await calls('tasks', taskApi.clear, { body: { type: 'copy', phase: 'PHASE_TYPE_COMPLETE' } });
    const { tasks } = await ann.call(taskApi.list, { query: {} });
    await calls('tasks', taskApi.remove, { query: { task_ids: tasks.map(({ id }) => id).join(',') } });

    const [shown] = (await ann.call(driveApi.list, { query: { limit: 10 } })).files;
    const grant = await calls('shares', peopleApi.invite, {
      params: { id: shown!.id },
      body: { to: olga.email, role: 'viewer' },
    });
    await calls('shares', peopleApi.accept, { params: { id: grant.id } }, olga);

    const { subscription } = await calls('subscriptions', subscriptionApi.create, {
      body: { kind: 'link', url: 'http://example.org/list.txt', active: false },
    });
    const params = { id: subscription.id };
    await calls('subscriptions', subscriptionApi.change, { params, body: { name: 'List' } });
    await calls('subscriptions', subscriptionApi.remove, { params });
    await calls('subscriptions', subscriptionApi.restore, { params });

    const dav = davClient(app.http, { authorization: basic(ann.email, PASSWORD) });
    await tells('files', () => dav.send('PUT', '/by-dav.txt', { body: 'dav' }));
    await calls('files', driveApi.removeMany, { body: { ids } });
    await ann.call(driveApi.trash, { body: { ids: [nest] } });
    await calls('files', driveApi.emptyTrash, {});
    const [left] = (await ann.call(driveApi.list, { query: { limit: 10 } })).files;
    await calls('files', driveApi.remove, { params: { id: left!.id } });

    await calls('account', accountApi.changeMe, { body: { name: 'Anna' } });
    await calls('account', preferenceApi.change, { body: { autoIdentifyShareCode: false } });
    await calls('account', webdavApi.toggle, { body: { enable: false } });
    await calls('account', webdavApi.toggle, { body: { enable: true } });
    await tells('account', () => signIn(app.http, ann));
    const { sessions } = await ann.call(securityApi.listSessions, {});
    await calls('account', securityApi.endSession, {
      params: { id: sessions.find(({ current }) => !current)!.id },
    });
    await calls('account', securityApi.endOtherSessions, {});
    const password = `${PASSWORD}, and more`;
    await calls('account', securityApi.changePassword, {
      body: { password: PASSWORD, new_password: password },
    });
    const { pass } = await calls('account', securityApi.createPass, {
      body: { password, kind: 'access_token', name: 'script', scopes: ['pan'] },
    });
    await calls('account', securityApi.revokePass, { body: { id: pass.id, password } });
    const takeout = await calls('takeouts', takeoutApi.begin, {});
    await tells('takeouts', () => app.jobs.drain());
    await calls('takeouts', takeoutApi.remove, { params: { id: takeout.id } });

    await calls(
      'plan',
      adminApi.setStorage,
      {
        params: { id: ann.id },
        body: { storage_limit: '1000000' },
      },
      olga,
    );
    await calls(
      'plan',
      adminMembershipApi.grantPlan,
      {
        params: { id: ann.id },
        body: { plan: 'vip', days: 30 },
      },
      olga,
    );
    await calls('plan', adminMembershipApi.endPlans, { params: { id: ann.id } }, olga);
    const buy = { body: { product: 'vip', term: 'month', currency: 'USD' } };
    const order = await calls('orders', orderApi.create, buy);
    await calls('orders', orderApi.cancel, { params: { id: order.id } });
    const paid = await ann.call(orderApi.create, buy);
    await calls('orders', adminMembershipApi.confirmOrder, { params: { id: paid.id } }, olga);
    await calls('account', adminApi.freeze, { params: { id: ann.id } }, olga);
    await calls('account', adminApi.thaw, { params: { id: ann.id } }, olga);
    const again = await signIn(app.http, { ...ann, password });
    await calls('account', closingApi.begin, { body: { password } }, again);

    // A change that is undone is never told.
    told.length = 0;
    const failing = app.database.transaction(async (tx) => {
      tx.changed(ann.id, 'files');
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(told).toEqual([]);

    const changing = ENDPOINTS.filter(
      ({ method, credentials }) => method !== 'GET' && credentials !== 'none',
    ).map(({ name }) => name);
    expect(changing.filter((name) => !called.has(name) && !SILENT.has(name) && !(name in KIN))).toEqual([]);
  });
});
