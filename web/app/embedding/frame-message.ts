import { splitLocale } from '@bowerbird/contract';
import { actionOf, type PageAction } from './page-actions.ts';

/** Message to the embedding page: an action, and the parameters of the address. */
export interface FrameMessage {
  readonly action: PageAction;
  readonly params: Readonly<Record<string, string>>;
}

/** Actions that this page performs by itself, embedded or not. */
const OWN: ReadonlySet<PageAction> = new Set(['open_file', 'show_task', 'highlight_files', 'search']);

/** Returns the message that a link of this site stands for; undefined if it is only a link. */
export function frameMessage(link: URL): FrameMessage | undefined {
  const { path } = splitLocale(link.pathname);
  if (/^\/drive\/feedback\/?$/.test(path)) return { action: 'open_feedback', params: {} };
  const action = actionOf(link.searchParams);
  if (!/^\/drive(?:\/|$)/.test(path) || action === undefined || OWN.has(action)) return undefined;
  const { action: _, ...params } = Object.fromEntries(link.searchParams);
  return { action, params };
}
