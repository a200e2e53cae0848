import { FilePen, Printer } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';

/** Opens the editor from a viewer's bar, on phones only: other screens have room for it in the preview's bar. */
export function EditButton({ onEdit }: { onEdit: (() => void) | undefined }) {
  const t = useT();
  return (
    onEdit && (
      <IconButton label={t('node.preview.edit')} icon={<FilePen />} onClick={onEdit} className="md:hidden" />
    )
  );
}

/** Prints the shown file; phones print from the browser's menu. */
export function PrintButton() {
  const t = useT();
  return (
    <IconButton
      label={t('node.preview.print')}
      icon={<Printer />}
      onClick={() => window.print()}
      className="max-md:hidden"
    />
  );
}
