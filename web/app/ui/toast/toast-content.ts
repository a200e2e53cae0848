interface ToastButton {
  readonly label: string;
  readonly run: () => void;
}

export interface ToastContent {
  text: string;
  /** Follow-up action: opens the new item. */
  action?: ToastButton;
  /** Reverts the action; Ctrl/Cmd+Z does the same, even after the toast is gone. */
  undo?: ToastButton;
  tone?: 'neutral' | 'success' | 'danger';
}

export interface Toast extends ToastContent {
  readonly id: number;
}

/** Most toasts that fit on a phone beside its content. */
const MOST = 3;

/**
 * Adds a toast to the visible ones: it replaces those that only inform, and one with undo replaces the previous
 * one with undo. Errors stay until they were read.
 */
export function withToast(shown: readonly Toast[], next: Toast): readonly Toast[] {
  const stays = ({ tone, action, undo }: Toast): boolean =>
    tone === 'danger' || (next.undo === undefined && (action !== undefined || undo !== undefined));
  return [...shown.filter(stays), next].slice(-MOST);
}
