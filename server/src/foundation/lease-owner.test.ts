import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { createIds } from './id.ts';
import { createLeaseOwner } from './lease-owner.ts';

const ids = createIds(systemClock);

test('a killed process of this machine is gone, a live one is not', () => {
  const { isGone } = createLeaseOwner(ids, 'here');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  expect(isGone(`here ${pid} secret`)).toBe(true);
  expect(isGone(`here ${process.ppid} secret`)).toBe(false);
});

test('a former process with our process id is gone, other owners within this process are not', () => {
  const { name, isGone } = createLeaseOwner(ids, 'here');
  expect(isGone(`here ${process.pid} another`)).toBe(true);
  expect(isGone(name)).toBe(false);
  expect(createLeaseOwner(ids, 'here').isGone(name)).toBe(false);
});

test('the state of processes on other machines is unknown', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  expect(createLeaseOwner(ids, 'here').isGone(`there ${pid} secret`)).toBe(false);
});

test('two containers of one machine with the same host name treat each other as unknown', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const [place] = createLeaseOwner(ids).name.split(' ');
  const ofAnother = (part: number): string => {
    const parts = place!.split('/');
    parts[part] = `another-${parts[part]}`;
    return `${parts.join('/')} ${pid} secret`;
  };
  const { isGone } = createLeaseOwner(ids);
  expect(isGone(`${place} ${pid} secret`)).toBe(true);
  const [host, boot, container] = [0, 1, 2].map((part) => isGone(ofAnother(part)));
  expect({ host, boot, container }).toEqual({ host: false, boot: false, container: false });
});
