import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { announce } from '../live-region.tsx';
import { withToast, type Toast, type ToastContent } from './toast-content.ts';

/** Number of steps that Ctrl/Cmd+Z can undo. */
const STEPS = 50;

const ToastStack = lazy(() => import('./toast-stack.tsx'));

const none: readonly Toast[] = [];
let toasts = none;
let lastId = 0;
let steps: readonly { readonly id: number; readonly run: () => void }[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const toast = {
  /**
   * Shows a toast for 10 s, longer while it is hovered or focused. Returns a function that removes it earlier.
   */
  show(content: ToastContent): () => void {
    lastId += 1;
    const id = lastId;
    change(withToast(toasts, { ...content, id }));
    if (content.undo) steps = [...steps, { id, run: content.undo.run }].slice(-STEPS);
    announce(content.text);
    return () => dismiss(id);
  },
  /** Reverts the last action that was not reverted yet (Ctrl/Cmd+Z); returns false if there is none. */
  undoLatest(): boolean {
    const latest = steps.at(-1);
    if (latest) undo(latest.id);
    return latest !== undefined;
  },
};

function undo(id: number): void {
  const step = steps.find((one) => one.id === id);
  steps = steps.filter((one) => one.id !== id);
  dismiss(id);
  step?.run();
}

function dismiss(id: number): void {
  if (toasts.some((one) => one.id === id)) change(toasts.filter((one) => one.id !== id));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The only place where toasts appear, in the root. Their code is loaded with the first toast. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  const [isUsed, setUsed] = useState(false);
  if (shown.length > 0 && !isUsed) setUsed(true);
  if (!isUsed) return null;
  return (
    <Suspense>
      <ToastStack toasts={shown} onDismiss={dismiss} onUndo={undo} />
    </Suspense>
  );
}
