import { useState, type FormEvent } from 'react';
import { COLORS, type Color } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { FolderIcon } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { ColorChoice } from '../tag/color-choice.tsx';
import type { FolderLook } from './use-looks.ts';

const CHOICES = ['', ...COLORS] as const;
const EMOJI = [
  '🏠',
  '👪',
  '❤️',
  '⭐',
  '📌',
  '💼',
  '💰',
  '🧾',
  '📄',
  '📚',
  '🎓',
  '✏️',
  '🎨',
  '📷',
  '🎬',
  '🎵',
  '🎮',
  '⚽',
  '🏔️',
  '🏖️',
  '✈️',
  '🚗',
  '🍽️',
  '🐾',
  '🌱',
  '🔧',
  '💡',
  '🔒',
  '🩺',
  '🎁',
  '🗓️',
  '🗄️',
] as const;

/** Dialog with the color and the icon of folders. */
export default function LookDialog({
  count,
  initial,
  onLook,
  onClose,
}: {
  /** Number of folders. */
  count: number;
  initial: FolderLook;
  onLook: (look: Partial<FolderLook>) => void;
  onClose: () => void;
}) {
  const t = useT();
  const [color, setColor] = useState<Color | ''>(initial.color);
  const [emoji, setEmoji] = useState(initial.emoji);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
    const look = {
      ...(color === initial.color && count === 1 ? {} : { color }),
      ...(emoji === initial.emoji && count === 1 ? {} : { emoji }),
    };
    if (Object.keys(look).length > 0) onLook(look);
  };
  return (
    <Dialog
      isOpen
      sheet
      onClose={onClose}
      title={
        <span className="flex items-center gap-3">
          <FolderIcon color={color} emoji={emoji} isTile />
          {t('drive.look.title', { count })}
        </span>
      }
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="look-form">
            {t('drive.tag.save')}
          </Button>
        </>
      }
    >
      <form id="look-form" onSubmit={submit} className="grid gap-5">
        <ColorChoice colors={CHOICES} name="look-color" value={color} onChange={setColor} />
        <fieldset>
          <legend className="mb-1.5 text-13 font-medium">{t('drive.look.icon')}</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(40px,1fr))] gap-1 pointer-coarse:grid-cols-[repeat(auto-fill,minmax(44px,1fr))]">
            {[...new Set(['', ...EMOJI, ...(initial.emoji === '' ? [] : [initial.emoji])])].map((one) => (
              <label
                key={one}
                className="relative grid h-10 cursor-pointer place-items-center rounded-control hover:bg-hover has-checked:bg-blue-wash has-checked:outline-2 has-checked:-outline-offset-2 has-checked:outline-blue has-focus-visible:outline-3 pointer-coarse:h-11"
              >
                <input
                  type="radio"
                  name="look-emoji"
                  value={one}
                  checked={emoji === one}
                  onChange={() => setEmoji(one)}
                  className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
                  aria-label={one === '' ? t('drive.look.noIcon') : one}
                />
                <span aria-hidden="true" className="text-20 leading-none">
                  {one === '' ? <FolderIcon color="" emoji="" /> : one}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
}
