import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';

// The logo as drawn by web/app/ui/mark.tsx; rerun this after changing it there.
const ARCS = 'M5 27C5 14 9.5 7 16 3.8C22.5 7 27 14 27 27M10 27C10 18 12 12.7 16 9.4C20 12.7 22 18 22 27';
const PAPER = '#fbfaf9';
const INK = '#191c24';
const INK_2 = '#565a66';
const BLUE = '#2458db';
const folder = join(import.meta.dirname, '..', 'web', 'public');

const mark = (ink: string, dot: string): string =>
  `<path d="${ARCS}" fill="none" stroke="${ink}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>` +
  `<circle cx="16" cy="24.6" r="3.1" fill="${dot}"/>`;

/** The logo on a square; `part` is the share of the side that it fills, `radius` rounds the square's corners (0–16). */
const icon = (part: number, radius: number): string => {
  const inset = (32 - 32 * part) / 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${radius}" fill="${BLUE}"/>` +
    `<g transform="translate(${inset} ${inset}) scale(${part})">${mark('#fff', '#fff')}</g></svg>`
  );
};

/** The image that chats show for a link: the logo and the product's tagline. */
const card = (font: string): string => `<style>
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
  body { margin: 0; width: 1200px; height: 630px; display: flex; align-items: center; justify-content: center; gap: 64px; background: ${PAPER}; font-family: Inter; color: ${INK} }
  h1 { margin: 0 0 20px; font-size: 104px; font-weight: 680; letter-spacing: -0.035em; line-height: 1 }
  p { margin: 0; font-size: 38px; line-height: 1.35; color: ${INK_2} }
</style><svg width="330" height="330" viewBox="0 0 32 32">${mark(INK, BLUE)}</svg>
<div><h1>Bowerbird</h1><p>Keep what you find.<br>Share what you love.</p></div>`;

async function drawCard(): Promise<void> {
  const font = await readFile(
    join(
      import.meta.dirname,
      '..',
      'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    ),
  );
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(card(font.toString('base64')));
  await page.evaluate('document.fonts.ready');
  const shot = await page.screenshot();
  await browser.close();
  await writeFile(
    join(folder, 'og.png'),
    await sharp(shot).png({ palette: true, compressionLevel: 9 }).toBuffer(),
  );
}

async function picture(svg: string, width: number): Promise<Buffer> {
  const image = sharp(Buffer.from(svg), { density: 300 });
  return image.resize(width).png({ palette: true, compressionLevel: 9 }).toBuffer();
}

async function draw(name: string, svg: string, width: number): Promise<void> {
  await writeFile(join(folder, name), await picture(svg, width));
}

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** An .ico file with PNG images in it, which browsers have supported since 2007. Sizes are pixels below 256. */
async function drawIco(name: string, svg: string, sizes: readonly number[]): Promise<void> {
  const pictures = await Promise.all(sizes.map((size) => picture(svg, size)));
  const head = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let at = head.byteLength;
  for (const [turn, size] of sizes.entries()) {
    const entry = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * turn;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(pictures[turn]!.byteLength, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += pictures[turn]!.byteLength;
  }
  await writeFile(join(folder, name), Buffer.concat([head, ...pictures]));
}

if (import.meta.main) {
  for (const size of [192, 512]) {
    await draw(`icon-${size}.png`, icon(0.68, 7), size);
    // Launchers crop everything outside the middle 80 %.
    await draw(`icon-maskable-${size}.png`, icon(0.54, 0), size);
  }
  await draw('apple-touch-icon.png', icon(0.62, 0), 180);
  // Requested for responses without an HTML head: texts, feeds, images.
  await drawIco('favicon.ico', icon(0.72, 7), [16, 32, 48]);
  await drawCard();
}
