import type { ListingRole } from '../drive-data.ts';
import type { FileActions } from '../file-menu.tsx';

const NOT_ALLOWED = {
  edit: undefined,
  extract: undefined,
  share: undefined,
  rename: undefined,
  copyTo: undefined,
  moveTo: undefined,
  star: undefined,
  sendToDevice: undefined,
  tag: undefined,
  look: undefined,
  pin: undefined,
  history: undefined,
  trash: undefined,
} as const satisfies Partial<FileActions>;

/** Returns the actions that a role allows: owners have all of them. */
export function allowedActions(role: ListingRole, actions: FileActions): FileActions {
  return role === 'owner' ? actions : { ...actions, ...NOT_ALLOWED };
}
