import { archiveApi, driveApi, shareApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  drivenByAnn,
  grantBenefit,
  openTestApp,
  shareOfAnn,
  upload,
  visitorAt,
  type TestApp,
} from '../../testing/index.ts';
import type { Entitlements } from './plan/index.ts';
import { createSpeeds, slicesAt, type Pace } from './speed-service.ts';

const KB = 1024;
const MB = 2 ** 20;
const ANN = '1';

/** Time that passes only while somebody waits, with the number of waits. */
function slowTime() {
  let now = 0;
  let waits = 0;
  const sleeping: { until: number; wake: () => void }[] = [];
  return {
    now: () => now,
    waits: () => waits,
    sleep(ms: number): Promise<void> {
      waits += 1;
      return new Promise((wake) => void sleeping.push({ until: now + ms, wake }));
    },
    pass(ms: number) {
      now += ms;
    },
    /** Lets time pass until nobody waits any more. */
    async run(): Promise<void> {
      for (;;) {
        await new Promise((resolve) => void setImmediate(resolve));
        sleeping.sort((a, b) => a.until - b.until);
        const next = sleeping.shift();
        if (!next) return;
        now = Math.max(now, next.until);
        next.wake();
      }
    },
  };
}

function speedsOf(limit: number) {
  const time = slowTime();
  let looks = 0;
  const least = { downloadSpeed: limit } as Entitlements;
  const entitlements = async () => {
    looks += 1;
    return least;
  };
  const speeds = createSpeeds({ database: {} as never, benefits: { least, entitlements }, pacing: time });
  return { time, speeds, looks: () => looks };
}

async function send(pace: Pace, bytes: number, chunk = 256 * KB): Promise<void> {
  for (let sent = 0; sent < bytes; sent += chunk)
    for await (const _ of slicesAt(pace, new Uint8Array(Math.min(chunk, bytes - sent))));
}

describe('the speed of downloads', () => {
  test('is that of the limit, with rare waits, whatever the size of chunks', async () => {
    for (const chunk of [1000, 64 * KB, 2 * MB]) {
      const { time, speeds } = speedsOf(MB);
      const pace = (await speeds.begin(ANN, undefined))!;
      void send(pace, 21 * MB, chunk);
      await time.run();
      // The first second was saved up.
      expect(time.now()).toBeGreaterThan(19_800);
      expect(time.now()).toBeLessThanOrEqual(20_100);
      expect(time.waits()).toBeLessThan(210);
    }
  });

  test('is shared by the connections of a member, and equally', async () => {
    const { time, speeds } = speedsOf(MB);
    const paces = await Promise.all(Array.from({ length: 5 }, () => speeds.begin(ANN, undefined)));
    const ended: number[] = [];
    for (const pace of paces) void send(pace!, 4 * MB).then(() => ended.push(time.now()));
    await time.run();
    expect(ended).toHaveLength(5);
    expect(time.now()).toBeGreaterThan(18_500);
    expect(time.now()).toBeLessThanOrEqual(19_500);
    for (const at of ended) expect(at).toBeGreaterThan(16_500);
  });

  test('cannot be multiplied by many short downloads, and unused speed is kept for a second only', async () => {
    const { time, speeds } = speedsOf(MB);
    const all = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) {
        const pace = (await speeds.begin(ANN, undefined))!;
        await send(pace, 50 * KB);
        pace.end();
        pace.end();
      }
    };
    void all(400);
    await time.run();
    expect(time.now()).toBeGreaterThan(18_000);
    time.pass(3_600_000);
    const began = time.now();
    void all(200);
    await time.run();
    expect(time.now() - began).toBeGreaterThan(8_500);
  });

  test('is a visitor’s own in each network, and does not slow down the owner', async () => {
    const { time, speeds } = speedsOf(MB);
    const from = [undefined, '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'];
    const took: number[] = [];
    for (const [at, address] of from.entries()) {
      const pace = (await speeds.begin(ANN, address))!;
      void send(pace, 5 * MB).then(() => (took[at] = time.now()));
    }
    await time.run();
    for (const at of [0, 1, 2]) expect(took[at]).toBeLessThanOrEqual(4200);
    // Both addresses are of one network.
    for (const at of [3, 4]) expect(took[at]).toBeGreaterThan(8000);
  });

  test('is not looked up where nothing is limited', async () => {
    const { speeds, looks } = speedsOf(Infinity);
    expect(await speeds.begin(ANN, undefined)).toBeUndefined();
    expect(looks()).toBe(0);
  });
});

describe('a limited member', () => {
  const SIZE = 300 * KB;
  const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

  /** Takes down what is sent at a limited speed, without waiting. */
  function takeDown({ domains }: Pick<TestApp, 'domains'>) {
    const { traffic } = domains.membership;
    const begin = traffic.begin.bind(traffic);
    const slices: number[] = [];
    let ended = 0;
    traffic.begin = async (...asked) => {
      const moving = await begin(...asked);
      if (!moving.pace) return moving;
      const { pace } = moving;
      return {
        sent: (bytes) => moving.sent(bytes),
        end() {
          ended += 1;
          moving.end();
        },
        pace: { ...pace, sent: async (bytes) => void slices.push(bytes) },
      };
    };
    return { slices, ended: () => ended };
  }

  test('downloads files, ranges, zips and over WebDAV at that speed, and without the limit at any', async () => {
    await using app = await openTestApp({ environment: { DOWNLOAD_SPEED: '1 MB' } });
    const { dav, member: ann } = await drivenByAnn(app);
    const { slices, ended } = takeDown(app);
    const content = Buffer.alloc(SIZE, 7);
    const file = await upload(app, ann, 'film.bin', content);
    const { web_content_link: link } = await ann.call(driveApi.get, { params: { id: file.id }, query: {} });
    const { url: zip } = await ann.call(archiveApi.pack, { body: { ids: [file.id] } });
    const get = async (url: string, range?: string): Promise<Buffer> =>
      (await app.http.inject({ url: pathOf(url), ...(range ? { headers: { range } } : {}) })).rawPayload;
    const ways: [way: string, get: () => Promise<Buffer>][] = [
      ['whole', () => get(link)],
      ['range', () => get(link, `bytes=0-${SIZE / 2 - 1}`)],
      ['ranges', () => get(link, 'bytes=0-99999,150000-250000')],
      ['zip', () => get(zip)],
      ['WebDAV', async () => (await dav.get('/film.bin')).bytes],
    ];
    for (const [at, [way, read]] of ways.entries()) {
      slices.length = 0;
      const { length } = await read();
      expect(length, way).toBeGreaterThanOrEqual(SIZE / 2);
      expect(
        slices.reduce((sum, bytes) => sum + bytes, 0),
        way,
      ).toBe(length);
      expect(Math.max(...slices), way).toBeLessThanOrEqual(MB / 10);
      expect(ended()).toBe(at + 1);
    }
    await grantBenefit(app, ann, { plan: 'vip', days: 1 });
    slices.length = 0;
    for (const [way, read] of ways) expect((await read()).length, way).toBeGreaterThanOrEqual(SIZE / 2);
    expect(slices).toEqual([]);
  });

  test('slows down visitors of their shares too', async () => {
    await using app = await openTestApp({ environment: { DOWNLOAD_SPEED: '40 B' } });
    const { ids, shareId } = await shareOfAnn(app, { pass_code_option: 'NOT_REQUIRED' });
    const visitor = visitorAt(app, '203.0.113.5', { 'x-device-id': 'one' });
    const { file_info: info } = await visitor.call(shareApi.fileInfo, {
      query: { share_id: shareId, file_id: ids['list.txt']! },
    });
    const began = performance.now();
    for (let n = 0; n < 5; n++) await visitor.inject({ url: pathOf(info!.web_content_link) });
    // Fifty-five bytes, of which forty were saved up.
    expect(performance.now() - began).toBeGreaterThan(270);
  });
});
