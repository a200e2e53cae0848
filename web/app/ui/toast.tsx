import { useEffect, useRef, useSyncExternalStore } from 'react';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from './icon-button.tsx';

export interface ToastContent {
  text: string;
  action?: { label: string; run: () => void };
  tone?: 'neutral' | 'success' | 'danger';
}

interface Toast extends ToastContent {
  readonly id: number;
}

const LIFE = 10_000;
const MOST = 3;

let toasts: readonly Toast[] = [];
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
const none: readonly Toast[] = [];

/** The one place where toasts appear, in the root. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  const layer = useRef<HTMLDivElement>(null);
  const newest = shown.at(-1)?.id;

  useEffect(() => {
    const element = layer.current!;
    if (element.matches(':popover-open')) element.hidePopover();
    // Shown anew, it lies above a dialog that was opened since.
    if (newest !== undefined) element.showPopover();
  }, [newest]);

  return (
    <div
      ref={layer}
      popover="manual"
      role="status"
      className="pointer-events-none fixed inset-auto bottom-6 left-1/2 m-0 w-max max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col items-center gap-2 border-0 bg-transparent p-0 max-md:bottom-20 [&:popover-open]:flex"
    >
      {shown.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastCard({ toast: { id, text, action, tone = 'neutral' } }: { toast: Toast }) {
  const t = useT();
  const timer = useRef(0);
  const start = (): void => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => dismiss(id), LIFE);
  };
  const hold = (): void => clearTimeout(timer.current);
  useEffect(() => {
    timer.current = window.setTimeout(() => dismiss(id), LIFE);
    return () => clearTimeout(timer.current);
  }, [id]);
  return (
    // Hovering only holds its time; nothing is done by it.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onPointerEnter={hold}
      onPointerLeave={start}
      onFocus={hold}
      onBlur={start}
      className="pointer-events-auto flex max-w-120 min-w-60 animate-[rise_160ms_var(--ease)] items-center gap-3 rounded-card border border-line bg-card py-2 pr-2 pl-4 text-ink shadow-float"
    >
      {tone === 'success' && <CircleCheck className="text-success" />}
      {tone === 'danger' && <CircleAlert className="text-danger" />}
      <span className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
          className="h-9 shrink-0 rounded-control px-3 font-semibold text-blue-strong hover:bg-blue-wash"
        >
          {action.label}
        </button>
      )}
      <IconButton label={t('ui.close')} icon={<X />} onClick={() => dismiss(id)} />
    </div>
  );
}
