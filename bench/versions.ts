import { driveApi } from '@bowerbird/contract';
import { openTestApp, plant, type Member } from '../server/testing/index.ts';

// The content of a file of 1 GiB is replaced by another and becomes a version, again and again; in alternation, the
// same with a file of 1 KiB. The bytes that the storage holds are counted before and after.

const GIB = 2 ** 30;
const ROUNDS = 200;

await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB' } });
const ann = await app.signUp('ann');

/** Plants a file with a version, and returns what replaces its content by the version. */
async function replacing(member: Member, name: string, size: number): Promise<() => Promise<unknown>> {
  const { [name]: id } = await plant(app, member.id, { [name]: Buffer.alloc(size, 1) });
  await member.call(driveApi.saveContent, {
    params: { id: id! },
    body: { base: '*' },
    bytes: new Blob([name]),
  });
  const { versions } = await member.call(driveApi.versions, { params: { id: id! }, query: {} });
  let version = versions[0]!.id;
  return async () => {
    const restored = await member.call(driveApi.restoreVersion, {
      params: { id: id!, version_id: version },
    });
    version = restored.version_id;
  };
}

const held = async (): Promise<number> => {
  let bytes = 0;
  for await (const { key } of app.storage.list('')) bytes += (await app.storage.stat(key))?.size ?? 0;
  return bytes;
};

const large = await replacing(ann, 'large.bin', GIB);
const small = await replacing(ann, 'small.bin', 1024);
const before = await held();
const times = { large: [] as number[], small: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1)
  for (const [which, replace] of [
    ['large', large],
    ['small', small],
  ] as const) {
    const from = performance.now();
    await replace();
    times[which].push(performance.now() - from);
  }
const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]!;
const [one, other] = [median(times.large), median(times.small)];
console.log(
  `a new version of a file of 1 GiB: ${(one / other).toFixed(2)} times the time of one of 1 KiB (${one.toFixed(1)} ms against ${other.toFixed(1)} ms, ${ROUNDS} in alternation), ${(await held()) - before} more bytes in the storage`,
);
