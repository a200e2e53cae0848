import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Solved } from '#app/api/challenge.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { readFrameMessage } from './messages.ts';
import { ownOrigins } from './own-origins.ts';

const HEIGHT = 430;
const LEAST = 200;
const MOST = 640;

/**
 * Shows the challenge page in a frame of 320 × 430 px over the current page; on small screens it fills the
 * screen.
 */
export default function CaptchaOverlay({
  url,
  onAnswered,
}: {
  url: string;
  onAnswered: (solved: Solved | undefined) => void;
}) {
  const t = useT();
  const facts = usePageFrame();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(HEIGHT);
  const [isLoaded, setIsLoaded] = useState(false);

  const hear = useEffectEvent(({ origin, source, data }: MessageEvent<unknown>) => {
    if (!ownOrigins(facts).includes(origin) || source !== frame.current?.contentWindow) return;
    const message = readFrameMessage(data);
    if (message?.type === 'captcha:layout') setHeight(Math.min(MOST, Math.max(LEAST, message.height)));
    else if (message) onAnswered({ captcha_token: message.captcha_token, expires_in: message.expires_in });
  });
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>): void => hear(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, []);

  return (
    <Dialog
      isOpen
      holdsWork
      onClose={() => onAnswered(undefined)}
      title={t('shield.dialog')}
      className="md:w-[370px]!"
    >
      <div className="relative mx-auto flex w-80 max-w-full max-md:h-full max-md:w-full">
        {!isLoaded && <Spinner className="absolute inset-0 m-auto size-7! text-ink-3" />}
        {/* Same-origin page, which needs its worker and language: a sandbox that allowed those would have no
            effect. */}
        {/* eslint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          ref={frame}
          src={url}
          title={t('shield.title')}
          onLoad={() => setIsLoaded(true)}
          className="w-full transition-[height] duration-150 max-md:h-full! max-md:min-h-60"
          style={{ height }}
        />
      </div>
    </Dialog>
  );
}
