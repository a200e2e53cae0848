import { useEffect, useEffectEvent } from 'react';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { useOffline } from '#app/offline/index.ts';
import type { Target } from '#app/upload/index.ts';
import { useDriveFrame } from './drive-frame.tsx';

/** Keyboard shortcuts of the drive; "Mod" is Ctrl, or Cmd on a Mac. */
const KEYS: readonly (readonly [keys: readonly string[], what: MessageKey])[] = [
  [['↑', '↓', '←', '→'], 'drive.keys.move'],
  [['Space'], 'drive.keys.toggle'],
  [['Shift', '↑↓'], 'drive.keys.extend'],
  [['Mod', 'A'], 'drive.keys.all'],
  [['+'], 'drive.keys.selectBy'],
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
  [['T'], 'drive.keys.tag'],
  [['V'], 'drive.keys.view'],
  [['N'], 'drive.keys.new'],
  [['Alt', 'N'], 'drive.keys.links'],
  [['/'], 'drive.keys.search'],
  [['?'], 'drive.keys.help'],
];

/** Returns true if keys and pastes belong to a field, a dialog or a menu. */
export function isElsewhere(event: Event): boolean {
  const target = event.target instanceof Element ? event.target : undefined;
  return (
    target?.closest('input, textarea, select, [contenteditable], [role=menu]') != null ||
    document.querySelector('dialog[open]') !== null
  );
}

/** Keys with the same meaning wherever the focus is on a page of the drive. */
export function useDriveKeys({
  onNewFolder,
  target,
}: { onNewFolder?: () => void; target?: Target } = {}): void {
  const { openKeys } = useDriveFrame();
  const { addLinks } = useOffline();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event)) return;
    const mod = event.ctrlKey || event.metaKey;
    if (mod && !event.shiftKey && event.key.toLowerCase() === 'z' && toast.undoLatest())
      event.preventDefault();
    // On a Mac, Option changes the character that the key types.
    if (event.altKey && !mod && event.code === 'KeyN') {
      event.preventDefault();
      addLinks(target && target.id !== '' ? { target } : {});
    }
    if (mod || event.altKey) return;
    if (event.key === '?') openKeys();
    if (event.key === 'n' && onNewFolder) {
      event.preventDefault();
      onNewFolder();
    }
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = useT();
  const mod = /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return (
    <Dialog isOpen onClose={onClose} title={t('drive.keys.title')} size="m" isText>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2">
        {KEYS.map(([keys, what]) => (
          <div key={what} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt>{t(what)}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded-small border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-12 font-medium text-ink-2"
                >
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
