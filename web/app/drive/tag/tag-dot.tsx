import type { Color } from '@bowerbird/contract';
import { cx } from '#app/ui/class-names.ts';

/** Color of a tag; its name is beside it. */
export function TagDot({ color, className }: { color: Color; className?: string }) {
  return <i aria-hidden="true" className={cx(`tint tint-${color} tag-dot`, className)} />;
}
