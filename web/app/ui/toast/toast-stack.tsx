import { useEffect, useRef } from 'react';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '../icon-button.tsx';
import type { Toast } from './toast-content.ts';

const LIFE = 10_000;

interface ToastStackProps {
  toasts: readonly Toast[];
  onDismiss: (id: number) => void;
  onUndo: (id: number) => void;
}

/** Toasts above everything, the newest at the bottom. The live region reads them aloud. */
export default function ToastStack({ toasts, onDismiss, onUndo }: ToastStackProps) {
  const t = useT();
  const layer = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.id;

  useEffect(() => {
    const element = layer.current!;
    if (element.matches(':popover-open')) element.hidePopover();
    // Shown again, the popover is above a dialog that was opened since.
    if (newest !== undefined) element.showPopover();
  }, [newest]);

  return (
    <div
      ref={layer}
      popover="manual"
      role="region"
      aria-label={t('ui.notifications')}
      className="pointer-events-none fixed inset-auto bottom-[calc(24px+var(--bar,0px)+var(--tray,0px))] left-1/2 m-0 w-max max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-0 max-md:bottom-[calc(20px+var(--bar,64px)+var(--tray,0px))] [&:popover-open]:flex"
    >
      {toasts.map((one) => (
        <ToastCard key={one.id} toast={one} onDismiss={onDismiss} onUndo={onUndo} />
      ))}
    </div>
  );
}

function ToastCard({
  toast: { id, text, action, undo, tone = 'neutral' },
  onDismiss,
  onUndo,
}: { toast: Toast } & Omit<ToastStackProps, 'toasts'>) {
  const t = useT();
  const timer = useRef(0);
  const start = (): void => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onDismiss(id), LIFE);
  };
  const hold = (): void => clearTimeout(timer.current);
  useEffect(() => {
    timer.current = window.setTimeout(() => onDismiss(id), LIFE);
    return () => clearTimeout(timer.current);
  }, [id, onDismiss]);
  return (
    // Hovering only pauses its timer; it triggers no action.
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
        <ToastAction
          label={action.label}
          onPress={() => {
            onDismiss(id);
            action.run();
          }}
        />
      )}
      {undo && <ToastAction label={undo.label} onPress={() => onUndo(id)} />}
      <IconButton label={t('ui.close')} icon={<X />} onClick={() => onDismiss(id)} />
    </div>
  );
}

function ToastAction({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="h-9 shrink-0 rounded-control px-3 font-semibold text-blue-strong hover:bg-blue-wash"
    >
      {label}
    </button>
  );
}
