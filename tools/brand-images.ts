import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

// The mark as web/app/ui/mark.tsx draws it; run this after changing it there.
const ARCS =
  'M5 27C5 14 9.5 7 16 3.8C22.5 7 27 14 27 27M10 27C10 18 12 12.7 16 9.4C20 12.7 22 18 22 27';
const PAPER = '#fbfaf9';
const INK = '#191c24';
const INK_2 = '#565a66';
const BLUE = '#2458db';
const folder = join(import.meta.dirname, '..', 'web', 'public');

const mark = (ink: string, dot: string): string =>
  `<path d="${ARCS}" fill="none" stroke="${ink}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>` +
  `<circle cx="16" cy="24.6" r="3.1" fill="${dot}"/>`;

/** The mark on a square; `part` is how much of the side it fills, `radius` rounds the square's corners (0–16). */
const icon = (part: number, radius: number): string => {
  const inset = (32 - 32 * part) / 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${radius}" fill="${BLUE}"/>` +
    `<g transform="translate(${inset} ${inset}) scale(${part})">${mark('#fff', '#fff')}</g></svg>`
  );
};

/** What a chat shows of a link: the mark and the product's one line. */
const card = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
  <rect width="1200" height="630" fill="${PAPER}"/>
  <g transform="translate(104 150) scale(10.2)">${mark(INK, BLUE)}</g>
  <g font-family="Inter Variable, Inter, Liberation Sans, Arial, sans-serif" fill="${INK}">
    <text x="480" y="300" font-size="100" font-weight="700" letter-spacing="-3">Bowerbird</text>
    <text x="484" y="376" font-size="36" fill="${INK_2}">Keep what you find.</text>
    <text x="484" y="426" font-size="36" fill="${INK_2}">Share what you love.</text>
  </g>
</svg>`;

async function draw(name: string, svg: string, width: number): Promise<void> {
  const image = sharp(Buffer.from(svg), { density: 300 }).resize(width).png({ palette: true, compressionLevel: 9 });
  await writeFile(join(folder, name), await image.toBuffer());
}

if (import.meta.main) {
  for (const size of [192, 512]) {
    await draw(`icon-${size}.png`, icon(0.68, 7), size);
    // Launchers cut anything outside the middle 80 %.
    await draw(`icon-maskable-${size}.png`, icon(0.54, 0), size);
  }
  await draw('apple-touch-icon.png', icon(0.62, 0), 180);
  await draw('og.png', card, 1200);
}
