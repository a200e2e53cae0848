import type { Drive } from '../drive/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { Section } from './takeout-content.ts';

const PAGE = 500;

/** Iterates over access that was given to others, and received from them. */
async function* accessOf(grants: Drive['grants'], account: string): AsyncGenerator<object> {
  for (let after = '', more = true; more;) {
    const page = await grants.given(account, { after, limit: PAGE });
    for (const one of page)
      yield {
        kind: one.owner === account ? 'given' : 'received',
        item: one.name,
        person: one.owner === account ? one.account : one.owner,
        role: one.role,
        muted: one.muted === 1,
        created_at: timeText(one.created_at),
        accepted_at: maybeTimeText(one.accepted_at ?? undefined),
      };
    after = page.at(-1)?.id ?? '';
    more = page.length === PAGE;
  }
}

/** Iterates over what others changed in shared folders of the account. */
async function* changesOf(grants: Drive['grants'], account: string): AsyncGenerator<object> {
  for (let after = '', more = true; more;) {
    const page = await grants.acts(account, { after, limit: PAGE });
    for (const { verb, name, node, actor, created_at: time } of page)
      yield { change: verb, item: name, file_id: node, person: actor, created_at: timeText(time) };
    after = page.at(-1)?.id ?? '';
    more = page.length === PAGE;
  }
}

/** Collects who has access to a member's files, to whose files the member has, and what others changed. */
export const peopleFacts = (grants: Drive['grants'], account: string): Section[] => [
  { name: 'people', rows: accessOf(grants, account) },
  { name: 'changes-by-people', rows: changesOf(grants, account) },
];
