import { useId, type ReactNode } from 'react';
import { cx } from '#app/ui/class-names.ts';

/** Heading of a settings page. */
export function SettingsTitle({ children, text }: { children: ReactNode; text?: ReactNode }) {
  return (
    <div className="pt-1 pb-6 max-md:pt-2 max-md:pb-4">
      <h1 className="text-20 font-semibold">{children}</h1>
      {text !== undefined && <p className="mt-1 max-w-150 text-ink-2">{text}</p>}
    </div>
  );
}

/** Related settings on one card. */
export function Settings({
  title,
  text,
  action,
  children,
}: {
  title: string;
  text?: ReactNode;
  /** Shown at the end of the title's line. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-6 rounded-card border border-line bg-card">
      <div className="flex items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3 max-md:flex-wrap max-md:px-4">
        <div className="min-w-0 max-md:min-w-45 max-md:flex-1">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {text !== undefined && <p className="mt-0.5 max-w-140 text-13 text-ink-2">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Shown in place of settings if there are none. */
export function NoSettings({ children }: { children: ReactNode }) {
  return <p className="border-t border-line px-5 py-4 text-13 text-ink-2 max-md:px-4">{children}</p>;
}

/** One setting on a card: its label, its value, and the control to change it. */
export function Setting({
  label,
  value,
  icon,
  children,
  className,
}: {
  label: ReactNode;
  value?: ReactNode;
  icon?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={cx('flex min-h-15 items-center gap-4 border-t border-line px-5 py-3 max-md:px-4', className)}
    >
      {icon !== undefined && <span className="shrink-0 text-ink-2">{icon}</span>}
      <div className="min-w-0 flex-1">
        <div className="font-medium [overflow-wrap:anywhere]">{label}</div>
        {value !== undefined && <div className="text-13 text-ink-2 [overflow-wrap:anywhere]">{value}</div>}
      </div>
      {children}
    </div>
  );
}
