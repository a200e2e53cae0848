import { pdf } from './pdf.ts';
import { png } from './png.ts';
import { pictures } from './scenes.ts';
import { dawnChorus, glassBeads } from './wav.ts';

/** Folders by name, and files by name with the function that generates their content. */
export interface Tree {
  readonly [name: string]: Tree | (() => string | Uint8Array);
}

const WELCOME = `# Welcome

This drive holds a bit of everything, so that you can see what becomes of it.

- **Photos** have thumbnails and open in the viewer.
- **Music** plays, **Documents** are read where they lie.
- **Names** shows that a name is yours: every script, every sign.

Move things, share them, throw them away: nothing here is needed.
`;

const NOTES = `# Field notes

| day | place | seen |
|---|---|---|
| 3 May | by the creek | two bowers, both facing north |
| 4 May | fig trees | a male arranging 14 bottle caps |
| 9 May | by the creek | the caps sorted by size, largest behind |

> The nearer the object, the smaller it is. Seen from inside, all look alike.

\`\`\`js
const blue = things.filter((thing) => thing.colour === 'blue');
\`\`\`
`;

function catalogue(): string {
  const kinds = ['feather', 'bottle cap', 'berry', 'petal', 'glass', 'shell', 'button', 'clip'];
  const shades = ['cobalt', 'azure', 'navy', 'sky', 'teal'];
  const rows = Array.from({ length: 240 }, (_, at) => {
    const day = new Date(Date.UTC(2026, 3, 1 + (at % 60))).toISOString().slice(0, 10);
    const [kind, shade] = [kinds[(at * 5) % kinds.length]!, shades[(at * 3) % shades.length]!];
    return [at + 1, day, kind, shade, (2 + ((at * 37) % 60) / 10).toFixed(1)].join(',');
  });
  return `number,found,kind,shade,centimetres\n${rows.join('\n')}\n`;
}

const arcs =
  '0.16 0.29 0.66 RG 3 w 200 250 m 200 420 250 500 297 540 c 345 500 395 420 395 250 c S 240 250 m 240 380 270 430 297 455 c 325 430 355 380 355 250 c S 0.16 0.29 0.66 rg 285 268 24 24 re f';

function plan(): Buffer {
  return pdf('Plan of a bower', [
    {
      title: 'Plan of a bower',
      lines: [
        'Two walls of sticks, set upright, meeting above the path.',
        'The forecourt lies to the north, where the light is even.',
      ],
      drawing: arcs,
    },
    {
      title: 'What goes where',
      lines: [
        '1. Large things behind, small things in front.',
        '2. Blue before everything else.',
        '3. What was moved by the wind is put back.',
      ],
    },
  ]);
}

const MEASURE = `import csv
import sys

with open(sys.argv[1], newline="") as file:
    sizes = [float(row["centimetres"]) for row in csv.DictReader(file)]
print(f"{len(sizes)} things, {sum(sizes) / len(sizes):.2f} cm on average")
`;

const photos = Object.fromEntries(Object.entries(pictures).map(([name, draw]) => [name, () => png(draw())]));

/** Files of the demo drive. */
export const demoTree: Tree = {
  'Welcome.md': () => WELCOME,
  Photos: photos,
  Music: { 'Dawn chorus.wav': dawnChorus, 'Glass beads.wav': glassBeads },
  Documents: {
    'Plan of a bower.pdf': plan,
    'Catalogue.csv': catalogue,
    'Field notes.md': () => NOTES,
    'measure.py': () => MEASURE,
    Letters: {
      'Brief an Ilse.txt': () => 'Liebe Ilse,\n\ndie blauen Scherben sind angekommen. Danke!\n',
      'Carta a Nuria.txt': () => 'Querida Nuria:\n\n¿Has visto el pájaro jardinero?\n',
      'Письмо.txt': () => 'Дорогой друг,\n\nсиних перьев становится всё больше.\n',
      '手紙.txt': () => '拝啓\n\n青いものがまた増えました。\n',
    },
  },
  Names: {
    '100% sure? #1 + more.txt': () => 'A name is text, not an address.\n',
    'emoji 🪶🫐.txt': () => 'Feathers and berries.\n',
    '“quoted” & <angled>.txt': () => 'Shown as it was typed.\n',
    'שלום.txt': () => 'שלום\n',
    'part 2.txt': () => 'Two comes before ten.\n',
    'part 10.txt': () => 'Ten comes after two.\n',
    'empty.txt': () => '',
  },
};
