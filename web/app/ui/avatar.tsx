import { useState } from 'react';
import { cx } from './class-names.ts';

/**
 * Profile picture, or the first letter of the name on a color derived from it. The name is shown beside it or in
 * a label.
 */
export function Avatar({
  name,
  picture,
  size = 32,
  className,
}: {
  name: string;
  picture?: string;
  size?: number;
  className?: string;
}) {
  const [isBroken, setBroken] = useState(false);
  const box = { width: size, height: size };
  if (picture && !isBroken) {
    return (
      <img
        src={picture}
        alt=""
        style={box}
        onError={() => setBroken(true)}
        className={cx('shrink-0 rounded-full bg-sunken object-cover', className)}
      />
    );
  }
  const letter =
    name
      .trim()
      .match(/\p{L}|\p{N}/u)?.[0]
      ?.toUpperCase() ?? '·';
  return (
    <span
      aria-hidden="true"
      style={{
        ...box,
        fontSize: size * 0.42,
        background: `light-dark(oklch(0.92 0.05 ${hueOf(letter)}), oklch(0.36 0.08 ${hueOf(letter)}))`,
        color: `light-dark(oklch(0.4 0.12 ${hueOf(letter)}), oklch(0.88 0.08 ${hueOf(letter)}))`,
      }}
      className={cx(
        'inline-grid shrink-0 place-items-center rounded-full leading-none font-semibold select-none',
        className,
      )}
    >
      {letter}
    </span>
  );
}

/** Hue by the letter alone, which masked names keep. Golden-angle steps make neighboring letters differ. */
const hueOf = (letter: string): number => Math.round(letter.codePointAt(0)! * 137.508) % 360;
