/** Access of members to files of others: the people of an item, and what others share with the member. */
export { PeoplePanel } from './people-panel.tsx';
export { loadShared, PEOPLE, SHARED } from './people-query.ts';
export { SharedItems } from './shared-items.tsx';
