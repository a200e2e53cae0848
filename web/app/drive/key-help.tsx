import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';

/** Keys of the drive and what each does; "Mod" is Ctrl, or Cmd on a Mac. */
const KEYS: readonly (readonly [keys: readonly string[], what: MessageKey])[] = [
  [['↑', '↓', '←', '→'], 'drive.keys.move'],
  [['Space'], 'drive.keys.toggle'],
  [['Shift', '↑↓'], 'drive.keys.extend'],
  [['Mod', 'A'], 'drive.keys.all'],
  [['Esc'], 'drive.keys.clear'],
  [['Enter'], 'drive.keys.open'],
  [['Backspace'], 'drive.keys.parent'],
  [['F2'], 'drive.keys.rename'],
  [['Del'], 'drive.keys.trash'],
  [['Shift', 'Del'], 'drive.keys.delete'],
  [['Mod', 'C'], 'drive.keys.copy'],
  [['Mod', 'X'], 'drive.keys.cut'],
  [['Mod', 'V'], 'drive.keys.paste'],
  [['Mod', 'Z'], 'drive.keys.undo'],
  [['D'], 'drive.keys.details'],
  [['S'], 'drive.keys.star'],
  [['V'], 'drive.keys.view'],
  [['N'], 'drive.keys.new'],
  [['?'], 'drive.keys.help'],
];

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return target?.closest('input, textarea, select, [contenteditable], dialog[open], [role=menu]') !== null && target !== null;
}

/** The keys that mean the same wherever the focus is on a page of the drive, and the help that lists all. */
export function useDriveKeys({ onNewFolder }: { onNewFolder?: () => void }): { readonly dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || document.querySelector('dialog[open]')) return;
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.key === 'z' && toast.runLatest()) event.preventDefault();
    if (mod || event.altKey) return;
    if (event.key === '?') setOpen(true);
    if (event.key === 'n' && onNewFolder) {
      event.preventDefault();
      onNewFolder();
    }
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return { dialog: isOpen ? <KeyHelp onClose={() => setOpen(false)} /> : null };
}

function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = useT();
  const mod = /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return (
    <Dialog isOpen onClose={onClose} title={t('drive.keys.title')} size="m">
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2">
        {KEYS.map(([keys, what]) => (
          <div key={what} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt>{t(what)}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="min-w-7 rounded-small border border-line bg-sunken px-1.5 py-0.5 text-center text-12 font-medium text-ink-2">
                  {key === 'Mod' ? mod : key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
