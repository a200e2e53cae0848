import { useEffect, useRef, type ReactNode } from 'react';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { tellFrame } from './messages.ts';
import { ownOrigins } from './own-origins.ts';

/** Page for the overlay's small frame, or for a window of its own; it reports its height to the frame. */
export function FramePage({ label, children }: { label: string; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  const facts = usePageFrame();
  useEffect(() => {
    const box = content.current!;
    const tell = (): void =>
      tellFrame(
        { type: 'captcha:layout', height: Math.ceil(box.getBoundingClientRect().height) },
        ownOrigins(facts),
      );
    const watch = new ResizeObserver(tell);
    watch.observe(box);
    return () => watch.disconnect();
  }, [facts]);
  return (
    <main aria-label={label} className="flex min-h-dvh flex-col justify-center bg-card">
      <div ref={content} className="mx-auto flex w-full max-w-80 flex-col items-center px-5 py-8 text-center">
        {children}
      </div>
    </main>
  );
}
