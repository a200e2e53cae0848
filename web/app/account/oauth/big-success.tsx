import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** Success message, readable from across the room. */
export function BigSuccess({ title, text, actions }: { title: string; text: string; actions?: ReactNode }) {
  return (
    <EmptyState
      level={1}
      className="pt-8"
      mark={
        <span className="flex size-24 items-center justify-center rounded-full bg-success-wash text-success">
          <Check aria-hidden="true" className="size-12" />
        </span>
      }
      title={title}
      text={text}
      actions={actions}
    />
  );
}
