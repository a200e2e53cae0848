import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import { ImagePlus } from 'lucide-react';
import { useRevalidator } from 'react-router';
import { accountApi, isApiFailure } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { FormAlert } from '../form/form-parts.tsx';
import { kept, MOST_ZOOM, moved, scaleOf, wholeOf, type Crop } from './picture-crop.ts';

/** Side of the uploaded square, in pixels; the screen shows the same, smaller. */
const SIDE = 512;
const STEP = 16;
const KINDS = 'image/jpeg,image/png,image/webp,image/gif,image/avif';
const PUSHES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** Selects a picture and crops it. */
export function PictureDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const chooser = useRef<HTMLInputElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<ImageBitmap>();
  const [turn, setTurn] = useState(0);
  const [wrong, setWrong] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  useEffect(() => () => picture?.close(), [picture]);

  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setWrong(undefined);
    try {
      setPicture(await createImageBitmap(file));
      setTurn((before) => before + 1);
    } catch {
      setWrong(t('profile.picture.wrong'));
    }
  };

  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const body = { picture: await textOfCanvas(canvas.current!) };
      await call(accountApi.setPicture, { body });
      await revalidator.revalidate();
      toast.show({ text: t('profile.picture.done') });
      onClose();
    } catch (error) {
      const isUnfit = isApiFailure(error) && error.facts['field'] === 'picture';
      setWrong(isUnfit ? t('profile.picture.wrong') : errorText(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('profile.picture.title')}
      isDismissable={!isBusy}
      holdsWork={picture !== undefined}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" busy={isBusy} disabled={!picture} onClick={() => void save()}>
            {t('profile.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-ink-2">{t('profile.picture.text')}</p>
        <FormAlert>{wrong}</FormAlert>
        {picture && <PictureCrop key={turn} canvas={canvas} picture={picture} />}
        <Button icon={<ImagePlus />} className="w-full" onClick={() => chooser.current?.click()}>
          {picture ? t('profile.picture.another') : t('profile.picture.choose')}
        </Button>
        <input
          ref={chooser}
          type="file"
          accept={KINDS}
          hidden
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </Dialog>
  );
}

/**
 * Round window onto the picture, which is moved by touch, mouse or arrow keys, and zoomed by wheel or slider.
 */
function PictureCrop({
  canvas,
  picture,
}: {
  canvas: RefObject<HTMLCanvasElement | null>;
  picture: ImageBitmap;
}) {
  const t = useT();
  const id = useId();
  const [crop, setCrop] = useState<Crop>(() => wholeOf(picture));
  const held = useRef<{ x: number; y: number } | undefined>(undefined);

  useEffect(() => {
    const context = canvas.current!.getContext('2d')!;
    const scale = scaleOf(picture, crop, SIDE);
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, SIDE, SIDE);
    context.drawImage(
      picture,
      SIDE / 2 - crop.x * scale,
      SIDE / 2 - crop.y * scale,
      picture.width * scale,
      picture.height * scale,
    );
  }, [canvas, picture, crop]);

  const push = (x: number, y: number): void => setCrop((before) => moved(picture, before, { x, y }, SIDE));
  const zoom = (by: (before: number) => number): void =>
    setCrop((before) => kept(picture, { ...before, zoom: by(before.zoom) }));
  const follow = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (!held.current) return;
    const ratio = SIDE / event.currentTarget.getBoundingClientRect().width;
    push((event.clientX - held.current.x) * ratio, (event.clientY - held.current.y) * ratio);
    held.current = { x: event.clientX, y: event.clientY };
  };
  const pushByKey = (event: KeyboardEvent): void => {
    const by = PUSHES[event.key];
    if (!by) return;
    event.preventDefault();
    push(...by);
  };

  return (
    <div className="grid justify-items-center gap-4">
      <canvas
        ref={canvas}
        width={SIDE}
        height={SIDE}
        // Reacts to arrow keys as well as to the pointer.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="img"
        aria-label={t('profile.picture.window')}
        className="aspect-square w-full max-w-72 cursor-grab touch-none rounded-full bg-sunken active:cursor-grabbing"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          held.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={follow}
        onPointerUp={() => (held.current = undefined)}
        onPointerCancel={() => (held.current = undefined)}
        onWheel={(event) => zoom((before) => before * (event.deltaY < 0 ? 1.1 : 1 / 1.1))}
        onKeyDown={pushByKey}
      />
      <div className="grid w-full max-w-72 gap-1.5">
        <label htmlFor={id} className="text-13 font-medium">
          {t('profile.picture.zoom')}
        </label>
        <input
          id={id}
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={crop.zoom}
          className="w-full accent-blue"
          onChange={(event) => zoom(() => event.currentTarget.valueAsNumber)}
        />
      </div>
    </div>
  );
}

/** Encodes the window's content in base64: as WebP if the browser can write it, otherwise as PNG. */
async function textOfCanvas(canvas: HTMLCanvasElement): Promise<string> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text);
}
