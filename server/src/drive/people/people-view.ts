import type { AccessGrant, File, MemberProfile, SharedItem } from '@bowerbird/contract';
import type { AccountRow } from '../../account/index.ts';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import type { Access } from '../access/index.ts';
import { FOLDER, type ShownNode } from '../drive.ts';
import type { Received, ShownGrant } from './grant-service.ts';

export const personView = ({ id, name, picture }: AccountRow): MemberProfile => ({
  user_id: id,
  name,
  avatar: picture,
});

export const grantView = ({ grant, node, person }: ShownGrant): AccessGrant => ({
  id: grant.id,
  file_id: node.id,
  file_name: node.name,
  person: personView(person),
  role: grant.role,
  pending: grant.accepted_at === null,
  created_time: timeText(grant.created_at),
});

export function sharedItemView(
  { grant, node, isTrashed, owner }: Received,
  view: (node: ShownNode, access: Access) => File,
): SharedItem {
  const isOpen = grant.accepted_at !== null && !isTrashed;
  const access: Access = {
    account: owner.id,
    member: grant.account,
    role: grant.role,
    rootId: node.parent,
    roots: new Set([node.id]),
    tag: '',
  };
  return {
    id: grant.id,
    owner: personView(owner),
    role: grant.role,
    pending: grant.accepted_at === null,
    muted: grant.muted === 1,
    created_time: timeText(grant.created_at),
    accepted_time: maybeTimeText(grant.accepted_at ?? undefined),
    name: node.name,
    kind: node.kind === FOLDER ? 'drive#folder' : 'drive#file',
    file: isOpen ? view(node, access) : null,
  };
}
