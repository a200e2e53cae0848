interface ToastButton {
  readonly label: string;
  readonly run: () => void;
}

export interface ToastContent {
  text: string;
  /** Leads on: opens what came. */
  action?: ToastButton;
  /** Takes back what was done; Ctrl/Cmd+Z does the same, also when the toast has gone. */
  undo?: ToastButton;
  tone?: 'neutral' | 'success' | 'danger';
}

export interface Toast extends ToastContent {
  readonly id: number;
}

/** As many as fit a phone beside what it shows. */
const MOST = 3;

/**
 * What is shown once a toast has come: it takes the place of those that only told something, and one that can be undone
 * takes the place of the last such. Failures stay until they were read.
 */
export function withToast(shown: readonly Toast[], next: Toast): readonly Toast[] {
  const stays = ({ tone, action, undo }: Toast): boolean =>
    tone === 'danger' || (next.undo === undefined && (action !== undefined || undo !== undefined));
  return [...shown.filter(stays), next].slice(-MOST);
}
