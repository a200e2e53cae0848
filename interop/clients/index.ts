import type { Client } from '../client.ts';
import { aliOss } from './ali-oss.ts';
import { davfs2 } from './davfs2.ts';
import { gvfs } from './gvfs.ts';
import { litmus } from './litmus.ts';
import { npmWebDav } from './npm-webdav.ts';
import { openlist } from './openlist.ts';
import { oss2 } from './oss2.ts';
import { pikpakapi } from './pikpakapi.ts';
import { rclonePikPak } from './rclone-pikpak.ts';
import { rclonePikPakSuite, rcloneWebDavSuite } from './rclone-suites.ts';
import { rcloneWebDav } from './rclone-webdav.ts';
import { restic } from './restic.ts';
import { stripeMock } from './stripe-mock.ts';
import { webdav4 } from './webdav4.ts';

/** Every client, by the name that selects it on the command line. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  pikpakapi,
  rclone: rclonePikPak,
  'rclone-webdav': rcloneWebDav,
  'rclone-suite-pikpak': rclonePikPakSuite,
  'rclone-suite-webdav': rcloneWebDavSuite,
  openlist,
  'ali-oss': aliOss,
  oss2,
  litmus,
  gvfs,
  davfs2,
  webdav4,
  'npm-webdav': npmWebDav,
  restic,
  'stripe-mock': stripeMock,
};
