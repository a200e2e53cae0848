import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Scene } from '../client.ts';
import { openDesk } from '../desk.ts';
import { complainsOfLaterMd5, readGoTests } from '../go-tests.ts';
import { CACHE, onPath, run, runWell } from '../programs.ts';
import { openPikPak } from '../rclone-remote.ts';
import { findRclone } from '../rclone.ts';

// rclone's own test suites against our server, built from the checkout at RCLONE_CHECKOUT.

/** The account's remote name in rclone. For a name in its own list, rclone would start another server for the tests. */
const REMOTE = 'bower';
/** The remotes in rclone's list of expected failures that correspond to ours. */
const PIKPAK = 'TestPikPak';
const OWNCLOUD = 'TestWebdavOwncloud';

export const rclonePikPakSuite: Client = {
  title: 'rclone’s own suites, pikpak',
  ready: () =>
    readySuites('backend/pikpak', PIKPAK, async (scene, program) => {
      await openPikPak(scene, program, REMOTE);
      return {
        RCLONE_CONFIG: join(scene.folder, 'pikpak.conf'),
        HTTP_PROXY: scene.proxy.url,
        HTTPS_PROXY: scene.proxy.url,
        SSL_CERT_FILE: scene.proxy.authority,
      };
    }),
};

export const rcloneWebDavSuite: Client = {
  title: 'rclone’s own suites, webdav',
  ready: () =>
    readySuites('backend/webdav', OWNCLOUD, async (scene, program) => {
      const { url, user, secret } = await openDesk(scene);
      const config = join(scene.folder, 'webdav.conf');
      const told = [`url=${url}`, 'vendor=owncloud', `user=${user}`, `pass=${secret}`, '--obscure'];
      await writeFile(config, '');
      await runWell(program, ['config', 'create', REMOTE, 'webdav', ...told, '--config', config]);
      return { RCLONE_CONFIG: config };
    }),
};

/** Tests in which rclone compares checksums right after an upload, when its `pikpak` backend has none to compare. */
const NEED_MD5: ReadonlySet<string> = new Set(['TestRcatSizeChecksum/Corrupted']);

type Configure = (scene: Scene, program: string) => Promise<Record<string, string>>;

async function readySuites(backend: string, kind: string, configure: Configure): ReturnType<Client['ready']> {
  const checkout = process.env['RCLONE_CHECKOUT'];
  if (!checkout) return { absent: 'RCLONE_CHECKOUT names no checkout of rclone' };
  if (!existsSync(join(checkout, backend))) return { absent: `there is no ${backend} in ${checkout}` };
  if (!onPath('go')) return { absent: 'there is no go' };
  const program = (await findRclone(() => undefined)) ?? '';
  if (program === '') return { absent: 'there is no rclone with the backend pikpak' };
  const version = (await readFile(join(checkout, 'VERSION'), 'utf8')).trim();
  const excused = expectedFailures(
    await readFile(join(checkout, 'fstest/test_all/config.yaml'), 'utf8'),
    `${kind}:`,
  );
  return {
    version,
    async run(scene) {
      const env = await configure(scene, program);
      for (const [at, suite] of [backend, 'fs/operations', 'fs/sync'].entries()) {
        if (at === 1) await scene.pause();
        await runSuite(scene, { checkout, suite, kind, env, excused });
      }
    },
  };
}

async function runSuite(
  scene: Scene,
  told: {
    checkout: string;
    suite: string;
    kind: string;
    env: Record<string, string>;
    excused: ReadonlySet<string>;
  },
): Promise<void> {
  const { checkout, suite, kind, env, excused } = told;
  const folder = join(checkout, suite);
  const built = join(CACHE, `rclone-${suite.replaceAll('/', '-')}.test`);
  await mkdir(CACHE, { recursive: true });
  await runWell('go', ['test', '-c', '-o', built, '.'], {
    folder,
    env: { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' },
    seconds: 3600,
  });
  const args = ['-test.v', '-test.timeout', '90m', '-remote', `${REMOTE}:`];
  const { out, err, code } = await run(built, args, { folder, env, seconds: 5400 });
  await writeFile(join(CACHE, `${kind}-${suite.replaceAll('/', '-')}.log`), out + err);
  const { passed, failed, skipped } = readGoTests(out);
  if (passed.length === 0) throw new Error(`${suite} ran no tests: ${err || out}`);
  const missesMd5 = ([name, text]: [string, string]): boolean =>
    kind === PIKPAK && (NEED_MD5.has(name) || complainsOfLaterMd5(text));
  const isExpected = (test: [string, string]): boolean => excused.has(test[0]) || missesMd5(test);
  const expected = [...failed].filter(isExpected);
  const faults = [...failed].filter((each) => !isExpected(each)).map(([name]) => name);
  // If a suite ends early, the results of the tests that it hasn't run are unknown.
  if (code !== 0 && failed.size === 0) faults.push('ended early');
  for (const test of expected)
    scene.say(`  expected: ${test[0]}${missesMd5(test) ? ', because a later response lacks the MD5' : ''}`);
  scene.count(
    suite,
    { passed: passed.length, failed: faults.length, skipped: skipped.length + expected.length },
    faults,
  );
}

/** Tests that rclone's own runs expect to fail on a remote. */
function expectedFailures(list: string, remote: string): Set<string> {
  const blocks = list.split(/^ - backend:/m);
  const block = blocks.find((text) => text.includes(`"${remote}"`)) ?? '';
  const [, ignored = ''] = /^ {3}ignore:\n((?: {4}.*\n)*)/m.exec(block) ?? [];
  return new Set([...ignored.matchAll(/- (\S+)/g)].map(([, name]) => name!));
}
