import type { ReactNode } from 'react';

/** Single card of the account pages. */
export function AccountCard({
  title,
  text,
  children,
}: {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="h-fit w-full max-w-100 rounded-dialog border-line bg-card md:border md:p-9 md:shadow-float max-md:bg-transparent">
      <h1 className="text-20 font-semibold">{title}</h1>
      {text !== undefined && <div className="mt-1.5 text-ink-2">{text}</div>}
      <div className="mt-7">{children}</div>
    </div>
  );
}
