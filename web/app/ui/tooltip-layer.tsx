import { useEffect, useRef, useState } from 'react';

interface Shown {
  text: string;
  key: string | undefined;
  target: HTMLElement;
}

const DELAY = 500;

/**
 * Shows the `data-tip` of an element when it is hovered or focused by keyboard. Its accessible name is already in
 * aria-label.
 */
export default function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer = 0;
    let lastHidden = 0;
    const hide = (): void => {
      clearTimeout(timer);
      setShown((before) => {
        if (before) lastHidden = performance.now();
        return null;
      });
    };
    const show = (event: Event): void => {
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
      if (event.type === 'focusin' && !target?.matches(':focus-visible')) return;
      if (event instanceof PointerEvent && event.pointerType !== 'mouse') return;
      clearTimeout(timer);
      if (!target || target.getAttribute('aria-expanded') === 'true') return hide();
      const { tip = '', tipKey } = target.dataset;
      // Once a tooltip is open, the next one in a row of buttons appears at once.
      timer = window.setTimeout(
        () => setShown({ text: tip, key: tipKey, target }),
        performance.now() - lastHidden < 300 ? 0 : DELAY,
      );
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('pointerdown', hide, true);
    document.addEventListener('focusout', hide);
    document.addEventListener('scroll', hide, true);
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('pointerdown', hide, true);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('scroll', hide, true);
      document.removeEventListener('keydown', onKey);
    };
  }, []);

  useEffect(() => {
    const tip = box.current;
    if (!tip || !shown) return;
    if (!shown.target.isConnected) return setShown(null);
    tip.showPopover();
    const anchor = shown.target.getBoundingClientRect();
    const top =
      anchor.bottom + 6 + tip.offsetHeight > innerHeight
        ? anchor.top - 6 - tip.offsetHeight
        : anchor.bottom + 6;
    const left = anchor.left + anchor.width / 2 - tip.offsetWidth / 2;
    tip.style.translate = `${Math.round(Math.max(6, Math.min(left, innerWidth - 6 - tip.offsetWidth)))}px ${Math.round(top)}px`;
  }, [shown]);

  if (!shown) return null;
  return (
    <div
      ref={box}
      key={shown.text}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none fixed inset-auto top-0 left-0 m-0 flex max-w-70 animate-[appear_100ms] items-center gap-2 rounded-control border-0 bg-ink px-2 py-1 text-12 font-medium text-paper"
    >
      {shown.text}
      {shown.key !== undefined && <kbd className="font-sans opacity-65">{shown.key}</kbd>}
    </div>
  );
}
