import { shareApi, type InputOf } from '@bowerbird/contract';
import type { Member, Person } from './member.ts';
import { plant, type Tree } from './planting.ts';
import type { TestApp } from './test-app.ts';

const TREE: Tree = {
  'secret plans': { 'pläne 文件 🐦.txt': 'fly south', deeper: { 'map.txt': 'here' } },
  'list.txt': 'blue things',
  'private.txt': 'not shared',
};

/** Names and contents that nobody may see before entering the right passcode. */
export const SHARED_NAMES = [
  'secret plans',
  'pläne',
  'deeper',
  'map.txt',
  'list.txt',
  'A bower',
  'blue things',
];

export interface Shared {
  readonly ann: Member;
  readonly ids: Record<string, string>;
  readonly shareId: string;
  readonly passcode: string;
}

/** Shares a folder and a file of Ann's drive; another of her files is not shared. */
export async function shareOfAnn(
  app: TestApp,
  options: Partial<InputOf<typeof shareApi.create>['body']> = {},
): Promise<Shared> {
  const ann = await app.signUp('ann');
  const ids = await plant(app, ann.id, TREE);
  const share = await ann.call(shareApi.create, {
    body: { file_ids: [ids['secret plans']!, ids['list.txt']!], title: 'A bower', ...options },
  });
  return { ann, ids, shareId: share.share_id, passcode: share.pass_code };
}

export async function shareStatus(person: Person, shareId: string, query: object = {}): Promise<string> {
  const { share_status: status } = await person.call(shareApi.open, {
    query: { share_id: shareId, ...query },
  });
  return status;
}
