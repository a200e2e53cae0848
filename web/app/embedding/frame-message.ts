import { splitLocale } from '@bowerbird/contract';
import { actionOf, type PageAction } from './page-actions.ts';

/** What the page around this one is told: an action, and what the address says beside it. */
export interface FrameMessage {
  readonly action: PageAction;
  readonly params: Readonly<Record<string, string>>;
}

/** What this page does by itself, framed or not. */
const OWN: ReadonlySet<PageAction> = new Set(['open_file', 'show_task', 'highlight_files', 'search']);

/** What a link of this site is to the page around it; undefined where it is only a link. */
export function frameMessage(link: URL): FrameMessage | undefined {
  const { path } = splitLocale(link.pathname);
  if (/^\/drive\/feedback\/?$/.test(path)) return { action: 'open_feedback', params: {} };
  const action = actionOf(link.searchParams);
  if (!/^\/drive(?:\/|$)/.test(path) || action === undefined || OWN.has(action)) return undefined;
  const { action: _, ...params } = Object.fromEntries(link.searchParams);
  return { action, params };
}
