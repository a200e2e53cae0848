import { encode } from 'uqr';

const QUIET = 2;

/** QR code as one path, black on white in both themes, because cameras expect that. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 justify-self-center rounded-card border border-line bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
