import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { announce } from './live.tsx';
import type { Toast, ToastContent } from './toast-content.ts';

const MOST = 3;

const ToastStack = lazy(() => import('./toast-stack.tsx'));

const none: readonly Toast[] = [];
let toasts = none;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const toast = {
  /** Says what happened for 10 s, longer while it is looked at. Returns how to take it away earlier. */
  show(content: ToastContent): () => void {
    lastId += 1;
    const id = lastId;
    change([...toasts, { ...content, id }].slice(-MOST));
    announce(content.text);
    return () => dismiss(id);
  },
  /** Runs the action of the newest toast that has one (Ctrl/Cmd+Z); false where there is none. */
  runLatest(): boolean {
    const latest = toasts.findLast(({ action }) => action !== undefined);
    if (!latest) return false;
    dismiss(latest.id);
    latest.action!.run();
    return true;
  },
};

function dismiss(id: number): void {
  if (toasts.some((one) => one.id === id)) change(toasts.filter((one) => one.id !== id));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The one place where toasts appear, in the root. What they look like is loaded with the first of them. */
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
      <ToastStack toasts={shown} onDismiss={dismiss} />
    </Suspense>
  );
}
