import { useT } from '#app/i18n/t.ts';
import type { Selecting } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';

/** Starts selecting without a long press; only on devices without a pointer that could show checkboxes. */
export function SelectButton({ selecting, isEmpty }: { selecting: Selecting; isEmpty: boolean }) {
  const t = useT();
  return (
    <span className="ml-auto md:hidden">
      <Button
        variant="plain"
        disabled={isEmpty}
        aria-pressed={selecting.isActive}
        onClick={selecting.isActive ? selecting.clear : selecting.begin}
        className="max-md:h-11"
      >
        {selecting.isActive ? t('ui.cancel') : t('node.selection.begin')}
      </Button>
    </span>
  );
}
