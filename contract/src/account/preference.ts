import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty } from '../wire.ts';

/** A member's preferences, which apply to all their devices, each with its default value. */
export const PREFERENCES = {
  SAVE_OTHER_APP_FILES_IN_SEPARATE_FOLDERS: false,
  TEST_MODE: false,
  defaultFolderBasedOnPlatform: false,
  filterFilesWhenCreate: false,
  displaySensitiveShare: false,
  autoIdentifyShareCode: true,
  /** Recent lists the files that were opened and played. */
  rememberOpenedFiles: true,
} as const satisfies Record<string, boolean>;
export type PreferenceName = keyof typeof PREFERENCES;

const Flag = Type.Optional(Type.Boolean());
const Preferences = Type.Object({
  SAVE_OTHER_APP_FILES_IN_SEPARATE_FOLDERS: Flag,
  TEST_MODE: Flag,
  defaultFolderBasedOnPlatform: Flag,
  filterFilesWhenCreate: Flag,
  displaySensitiveShare: Flag,
  autoIdentifyShareCode: Flag,
  rememberOpenedFiles: Flag,
} satisfies Record<PreferenceName, typeof Flag>);
export type Preferences = Static<typeof Preferences>;

export const preferenceApi = {
  read: endpoint({
    name: 'preference.read',
    method: 'GET',
    path: '/user/v1/settings',
    host: 'drive',
    credentials: 'required',
    summary: 'Get your preferences',
    description: 'Returns them by name.',
    query: Type.Object({
      items: Type.Optional(
        Type.Unsafe<string | string[]>({
          description: 'Names, comma-separated or repeated. Default: all.',
        }),
      ),
    }),
    reply: Preferences,
  }),
  change: endpoint({
    name: 'preference.change',
    method: 'POST',
    path: '/user/v1/settings',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Update your preferences',
    description: 'Unknown names are ignored.',
    body: Preferences,
    reply: Empty,
  }),
};
