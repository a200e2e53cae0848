declare module 'virtual:catalogues' {
  import type { Locale } from '@bowerbird/contract';

  type Load = () => Promise<{ default: Record<string, string> }>;
  /** Only on the server, and only in a build: directory of the browser's files. */
  interface Files {
    pageFile?: string;
    accountFile?: string;
    memberFile?: string;
    siteFile?: string;
  }
  export const catalogues: Record<Locale, { page: Load; account: Load; member: Load; site: Load } & Files>;
}

/** Only in some browsers: handles a phone's back gesture and Esc. */
interface CloseWatcher extends EventTarget {
  onclose: (() => void) | null;
  destroy(): void;
}
declare const CloseWatcher: { new (): CloseWatcher } | undefined;
